/** The thread of one provider module. It is started without permissions: see `provider_thread.ts`. */
import { reasonOf } from "../../errors.ts";
import type { ProviderOrder, ProviderReply } from "./provider_protocol.ts";
import { ProviderRealm } from "./provider_realm.ts";
import { translateModule } from "./translate_module.ts";

const port = globalThis as unknown as {
  postMessage(reply: ProviderReply): void;
  onmessage: ((event: MessageEvent<ProviderOrder>) => void) | null;
};

let realm: ProviderRealm | null = null;

function carryOut(order: ProviderOrder): ProviderReply {
  switch (order.kind) {
    case "translate":
      return { kind: "translated", ...translateModule(order.source) };
    case "load":
      realm = new ProviderRealm(order.modules, order);
      return { kind: "loaded" };
    case "ask":
      if (realm === null) return { kind: "failed", message: "no module is loaded" };
      return { kind: "said", text: realm.ask(order.question, order) };
  }
}

port.onmessage = ({ data }) => {
  let reply: ProviderReply;
  try {
    reply = carryOut(data);
  } catch (error) {
    const message = reasonOf(error);
    reply = { kind: "failed", message: message.slice(0, 500) };
  }
  port.postMessage(reply);
};
port.postMessage({ kind: "ready" });
