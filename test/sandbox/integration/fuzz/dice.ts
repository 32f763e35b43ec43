import { createSeededRandom } from '../../../../src-main/sandbox/seeded-random.ts';

/** Choices that repeat exactly for the same seed. */
export interface Dice {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  bytes(count: number): Buffer;
  /** Letters and digits. */
  word(length: number): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Each request has its own dice (seed and number), so that it repeats independently of earlier requests. */
export function createDice(seed: number, requestNumber: number): Dice {
  const random = createSeededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(requestNumber + 1, 0x85ebca6b));
  const between = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  return {
    chance: (probability) => random() < probability,
    between,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => between(0, 255))),
    word: (length) => Array.from({ length }, () => LETTERS[between(0, LETTERS.length - 1)]).join(''),
  };
}
