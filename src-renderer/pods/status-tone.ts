/** The colour of a pod's desired status. */
export function statusTone(status: string | null | undefined, isStarting: boolean): 'done' | 'run' | 'cancel' {
  if (status !== 'RUNNING') return 'cancel';
  return isStarting ? 'run' : 'done';
}
