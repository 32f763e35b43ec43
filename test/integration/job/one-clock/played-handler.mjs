/**
 * A handler whose run is played by the test: it reports that it began, and streams and ends on command, at a time of
 * the test's clock.
 */
export async function handler(job) {
  const { channel: name, marker, isStreamed } = job.input;
  const runId = `${job.id} ${Math.random()}`;
  const channel = new BroadcastChannel(name);
  const told = [];
  let wake = () => undefined;
  const tell = (command) => {
    told.push(command);
    wake();
  };
  channel.onmessage = ({ data }) => {
    if (data.runId === runId) tell(data);
  };
  job.signal.addEventListener('abort', () => tell({ command: 'stop' }));
  channel.postMessage({ began: runId, jobId: job.id, marker });

  async function next() {
    while (told.length === 0) await new Promise((resolve) => (wake = resolve));
    return told.shift();
  }

  async function* streamed() {
    try {
      for (;;) {
        const { command, value, message } = await next();
        if (command === 'fail') throw new Error(message);
        if (command !== 'chunk') return;
        yield value;
        channel.postMessage({ took: runId });
      }
    } finally {
      channel.close();
    }
  }
  if (isStreamed) return streamed();

  try {
    const { command, value, message } = await next();
    if (command === 'fail') throw new Error(message);
    return value;
  } finally {
    channel.close();
  }
}
