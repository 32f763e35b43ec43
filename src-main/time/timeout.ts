/**
 * What `work` answers, or null after `limitMs`; then it goes on by itself. Time is the machine's: what is waited for
 * here are threads and sockets.
 */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
