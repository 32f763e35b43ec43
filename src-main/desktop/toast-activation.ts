/** Reads what Windows returns for a click: our id, and which button. Null if it is not ours. */
export function readActivation(
  type: string,
  given: string,
  actionIndex: number | undefined,
): { id: number; actionIndex: number | null } | null {
  const tag = /(?:^|&)tag=n(\d{1,15})(?:&|$)/.exec(given)?.[1];
  if (tag === undefined) return null;
  return { id: Number(tag), actionIndex: type === 'action' ? (actionIndex ?? null) : null };
}
