/**
 * A typed number with a decimal point, without the spaces, `_` and `'` between its digits: `0,69`, `1 200,5` and
 * `1.200,5` too. Commas before a point separate thousands. A single comma that is not before three digits is a decimal
 * comma; one that is may be either, and stays. Pure.
 */
export function withDecimalPoint(text: string): string {
  const compact = text.trim().replaceAll(/[\s_']/g, '');
  if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(compact)) return compact.replaceAll('.', '').replace(',', '.');
  if (compact.includes('.'))
    return compact.lastIndexOf(',') > compact.lastIndexOf('.') ? compact : compact.replaceAll(',', '');
  return /^[+-]?\d*,(?:\d{1,2}|\d{4,})$/.test(compact) ? compact.replace(',', '.') : compact;
}
