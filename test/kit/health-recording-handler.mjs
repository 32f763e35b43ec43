import { BroadcastChannel, workerData } from 'node:worker_threads';

/**
 * The handler of a health recording: what it does, and when, is told by the recorder, which keeps the clock. A worker
 * that loads this file waits until it is told whether it becomes ready or falls over; a job says how it goes, and ends
 * when it is told to.
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
// Told once the sandbox has heard that this worker is ready, which it is when this file is loaded.
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
