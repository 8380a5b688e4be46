/**
 * Merges streams into one that yields chunks as they come. It ends when all have ended and fails
 * when the first fails.
 */
export function mergeReadableStreams<T>(...streams: ReadableStream<T>[]): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      let failed = false;
      const forward = async (stream: ReadableStream<T>) => {
        for await (const chunk of stream) {
          if (failed) break;
          controller.enqueue(chunk);
        }
      };
      Promise.all(streams.map(forward)).then(
        () => controller.close(),
        (error) => {
          failed = true;
          controller.error(error);
        },
      );
    },
  });
}
