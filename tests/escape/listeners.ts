/** Sockets that a command without a jail reaches: the controls of what the network's cases refuse. */
import { join } from "node:path";
import type { Place } from "./place.ts";

/** Listens on all kinds of sockets, prints the ports, and ends with its standard input. */
const LISTENER = `
import os, socket, sys
path = sys.argv[1]
tcp = socket.create_server(("127.0.0.1", 0), backlog=64)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
stream = socket.socket(socket.AF_UNIX)
stream.bind(path + "/listening")
stream.listen(64)
datagram = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
datagram.bind(path + "/datagram")
abstract = socket.socket(socket.AF_UNIX)
abstract.bind("\\0" + path)
abstract.listen(64)
print(tcp.getsockname()[1], udp.getsockname()[1], flush=True)
sys.stdin.read()
`;

/** Open sockets, closed at the end. */
export interface Listeners extends AsyncDisposable {
  /** Where they are, as variables of the cases. */
  readonly variables: Readonly<Record<"PORT" | "UDP_PORT" | "SOCK" | "DGRAM" | "ABSTRACT", string>>;
}

/** Listen as the place's user, in its workspace, where a command may well see the sockets' names. */
export async function listeners(place: Place): Promise<Listeners> {
  const directory = join(place.workspace, "sockets");
  await Deno.mkdir(directory);
  await place.own();
  const child = place.spawn(["python3", "-c", LISTENER, directory], { stdin: "" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const [port, udpPort] = new TextDecoder().decode(value).trim().split(" ");
  return {
    variables: {
      PORT: port ?? "",
      UDP_PORT: udpPort ?? "",
      SOCK: join(directory, "listening"),
      DGRAM: join(directory, "datagram"),
      ABSTRACT: "@" + directory,
    },
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      await child.stderr.cancel();
      await child.status;
    },
  };
}
