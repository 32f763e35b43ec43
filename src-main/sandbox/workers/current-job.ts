import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The id of the job that the running code belongs to, even after its end: timers and promises keep the job that they
 * were made in. Absent in code that no job has caused, such as that of a module while it is loaded.
 */
export const currentJob = new AsyncLocalStorage<string>();
