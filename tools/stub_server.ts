/** A server on loopback that answers with the status its path names: `/s/503/...`. */

/** Bodies by what asks: package registries and container daemons read `message`, Kubernetes reads a Status object. */
function bodyOf(path: string, status: number): string {
  const reason = REASONS[status] ?? "Error";
  if (path.includes("/api/") || path.includes("/apis/")) {
    return JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: reason.replaceAll(" ", ""),
      message: MESSAGES[status] ?? reason,
      code: status,
    });
  }
  return JSON.stringify({ error: reason, message: reason });
}

/** RFC 9110, 15, and RFC 6585, 4. */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** What a Kubernetes server says. */
const MESSAGES: Readonly<Record<number, string>> = {
  403:
    'pods is forbidden: User "you" cannot list resource "pods" in API group "" in the namespace "default"',
  404: 'pods "web" not found',
  409: 'Operation cannot be fulfilled on pods "web": the object has been modified',
};

/** Run `body` with the base address of a stub, which is gone afterwards. */
export async function withStub(body: (base: string) => Promise<void>): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 8931, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/s/slow")) await new Promise((done) => setTimeout(done, 3_000));
      const status = Number(/^\/s\/(\d{3})/.exec(pathname)?.[1] ?? 200);
      const headers = new Headers({ "content-type": "application/json" });
      if (status === 429) headers.set("retry-after", "1");
      if (status === 401) headers.set("www-authenticate", 'Basic realm="stub"');
      return new Response(bodyOf(pathname, status), { status, headers });
    },
  );
  try {
    await body("http://127.0.0.1:8931/s");
  } finally {
    await server.shutdown();
  }
}
