/** Calls of V8's inspector, as promises. */
import type { Session } from "node:inspector";

/** Call a method of its protocol, which the types of `node:inspector` name one by one. @throws {Error} when it refuses. */
export function postToInspector(
  session: Session,
  method: string,
  params: object,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  session.post(method, params, (error: Error | null, result?: object) => {
    error ? reject(error) : resolve(result);
  });
  return promise;
}
