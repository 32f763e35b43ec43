/** Finds `wanted` unchanged, upper or lower case alike; every match, so its `lastIndex` moves on. */
export function plainPattern(wanted: string): RegExp {
  return new RegExp(wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gi');
}
