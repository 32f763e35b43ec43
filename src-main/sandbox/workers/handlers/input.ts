/** Reads a number of a handler's input, or its default; throws a sentence naming the field. */
export function numberInput(
  input: Record<string, unknown>,
  name: string,
  bounds: { default: number; min: number; max: number; isInteger?: boolean },
): number {
  const value = input[name] ?? bounds.default;
  const isFit = typeof value === 'number' && value >= bounds.min && value <= bounds.max;
  if (!isFit || (bounds.isInteger === true && !Number.isInteger(value))) {
    const kind = bounds.isInteger === true ? 'an integer' : 'a number';
    throw new RangeError(`${name} must be ${kind} from ${bounds.min} to ${bounds.max}.`);
  }
  return value;
}
