/**
 * `spec` answers exactly what the specification says; `observed` answers as the public service was
 * seen to (docs/service/field-notes.md; rulings 1, 14, 27, 32).
 */
export type Dialect = 'spec' | 'observed';

export const DIALECTS: readonly Dialect[] = ['spec', 'observed'];
