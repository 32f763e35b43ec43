/** A pattern that finds every `wanted`, ignoring case. As it is global, its `lastIndex` moves. */
export function plainPattern(wanted: string): RegExp {
  return new RegExp(wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gi');
}
