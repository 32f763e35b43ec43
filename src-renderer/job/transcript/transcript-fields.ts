import { transcriptText } from '../../messages/job/media.ts';

/** The name or number of a speaker beside a text. Null if there is none. Pure. */
export function speakerOf(item: Record<string, unknown>): string | null {
  for (const name of ['speaker', 'speaker_label', 'speaker_id']) {
    const value = item[name];
    if (typeof value === 'number') return transcriptText.speaker(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 60);
  }
  return null;
}

/** How sure a handler is of a text, from 0 to 1: as it says, or by the mean log probability of its tokens. Pure. */
export function confidenceOf(item: Record<string, unknown>): number | null {
  for (const name of ['confidence', 'probability', 'score']) {
    const value = item[name];
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  }
  const logarithm = item['avg_logprob'];
  return typeof logarithm === 'number' && logarithm <= 0 ? Math.exp(logarithm) : null;
}
