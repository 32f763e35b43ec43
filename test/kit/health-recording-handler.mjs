import { BroadcastChannel, workerData } from 'node:worker_threads';

/**
 * The handler of a health recording. The recorder has the clock and decides what happens when. A worker that loads this
 * file waits for its message whether to become ready or to crash. A job reports that it began, and waits for the message
 * with its end.
 */
const channel = new BroadcastChannel(`health-recording ${workerData.endpointId}`);
const { workerId } = workerData;
const ends = new Map();
let runs = 0;

const isToRun = new Promise((resolve) => {
  channel.onmessage = ({ data }) => {
    if (data.start === workerId) resolve(data.isWell);
    ends.get(data.end)?.(data.how);
  };
});
channel.postMessage({ loading: workerId });
if (!(await isToRun)) process.exit(1);
// Sent after the sandbox knows that this worker is ready, which it is when this file is loaded.
setTimeout(() => channel.postMessage({ up: workerId }), 5);

export async function handler(job) {
  const runId = `${workerId} ${(runs += 1)}`;
  const how = await new Promise((resolve) => {
    ends.set(runId, resolve);
    job.signal.addEventListener('abort', () => resolve('stop'));
    channel.postMessage({ began: runId, jobId: job.id, runMs: job.input.runMs, how: job.input.how });
  });
  ends.delete(runId);
  if (how === 'crash') process.exit(1);
  if (how === 'fail') throw new Error('The handler was told to fail.');
  return { done: job.id };
}
