const variableKinds = ['one', 'list', 'range'] as const;
export type VariableKind = (typeof variableKinds)[number];

/** The user's values for a variable, as typed. Each kind keeps its own, so that trying another kind loses nothing. */
export interface Variable {
  name: string;
  kind: VariableKind;
  one: string;
  list: string[];
  from: string;
  to: string;
  step: string;
}

/** A variable of this name without a value. */
export function newVariable(name: string): Variable {
  return { name, kind: 'one', one: '', list: [], from: '', to: '', step: '' };
}

/** Saved variables of any form. Invalid parts are left out. */
export function readVariables(kept: unknown): Variable[] {
  if (!Array.isArray(kept)) return [];
  const read = kept.flatMap((each: unknown): Variable[] => {
    if (typeof each !== 'object' || each === null) return [];
    const fields = new Map<string, unknown>(Object.entries(each));
    const text = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const list = fields.get('list');
    const name = text('name');
    if (name === '') return [];
    return [
      {
        name,
        kind: variableKinds.find((kind) => kind === fields.get('kind')) ?? 'one',
        one: text('one'),
        list: Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [],
        from: text('from'),
        to: text('to'),
        step: text('step'),
      },
    ];
  });
  return [...new Map(read.map((variable) => [variable.name, variable])).values()];
}
