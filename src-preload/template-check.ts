import { envProblemText, portProblemText, templateProblemText } from './messages/refusals.ts';
import type { EnvEntry, SeenTemplate, Template, TemplateEdits, TemplateUpdate, UpdatableField } from './template.ts';

/** What an update will send. Variables with an unchanged value are null; main fills them in. */
export type PlannedBody = Omit<TemplateUpdate, 'env'> & { env?: Record<string, string | null> };

/** What the plan needs of a copy. */
export interface KnownForPlan {
  template: SeenTemplate;
  /** The values of its variables can no longer be read here. */
  isEnvLost: boolean;
}

/** Why a field cannot be sent, shown at the field. */
export interface FieldProblem {
  field: UpdatableField;
  /** Which line of a list. Null: the field as a whole. */
  index: number | null;
  /** Which half of a variable. */
  part?: 'name' | 'value';
  message: string;
}

interface Checked {
  problems: FieldProblem[];
  body: PlannedBody;
}

/**
 * spec: Update a template. Checks the edit of one field. A valid value is added to `body` in the form in which it is
 * sent.
 */
export function checkField(field: UpdatableField, known: KnownForPlan | null, edits: TemplateEdits): Checked {
  switch (field) {
    case 'name':
      return textChecked('name', (edits.name ?? '').trim(), nameProblem);
    case 'imageName':
      return textChecked('imageName', (edits.imageName ?? '').trim(), imageProblem);
    case 'containerRegistryAuthId':
      return textChecked('containerRegistryAuthId', edits.containerRegistryAuthId ?? '', (text) =>
        text.length > maxNameChars ? templateProblemText.idTooLong(maxNameChars, text.length) : null,
      );
    case 'volumeMountPath':
      return textChecked('volumeMountPath', edits.volumeMountPath ?? '', mountPathProblem);
    case 'readme':
      return textChecked('readme', edits.readme ?? '', () => null);
    case 'containerDiskInGb':
    case 'volumeInGb':
      return sizeChecked(field, edits[field] ?? '');
    case 'isPublic':
      return edits.isPublic === undefined ? empty : { problems: [], body: { isPublic: edits.isPublic } };
    case 'dockerEntrypoint':
    case 'dockerStartCmd':
      return argumentsChecked(field, edits[field] ?? []);
    case 'ports':
      return portsChecked(edits.ports ?? []);
    case 'env':
      return envChecked(edits.env ?? [], known);
  }
}

/** Checks a value that is sent again unchanged. The service may have returned one that an update cannot contain. */
export function checkPinned(
  field: 'containerDiskInGb' | 'isPublic' | 'readme' | 'volumeInGb' | 'volumeMountPath',
  value: NonNullable<Template[typeof field]>,
): Checked {
  const cannotKeep = (): Checked => ({
    problems: [
      {
        field,
        index: null,
        message: templateProblemText.cannotSendBack(JSON.stringify(value)),
      },
    ],
    body: {},
  });
  if (field === 'volumeMountPath')
    return typeof value === 'string' && mountPathProblem(value) === null
      ? { problems: [], body: { volumeMountPath: value } }
      : cannotKeep();
  if (field === 'readme') return typeof value === 'string' ? { problems: [], body: { readme: value } } : cannotKeep();
  if (field === 'isPublic')
    return typeof value === 'boolean' ? { problems: [], body: { isPublic: value } } : cannotKeep();
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? { problems: [], body: { [field]: value } }
    : cannotKeep();
}

const empty: Checked = { problems: [], body: {} };
/** spec: Pod, name. Applied to templates too, as the platform does. */
const maxNameChars = 191;

function textChecked(
  field: 'name' | 'imageName' | 'containerRegistryAuthId' | 'volumeMountPath' | 'readme',
  text: string,
  problemOf: (text: string) => string | null,
): Checked {
  const message = problemOf(text);
  return message === null
    ? { problems: [], body: { [field]: text } }
    : { problems: [{ field, index: null, message }], body: {} };
}

function nameProblem(name: string): string | null {
  if (name === '') return templateProblemText.nameMissing;
  return name.length > maxNameChars ? templateProblemText.nameTooLong(maxNameChars, name.length) : null;
}

function imageProblem(image: string): string | null {
  if (image === '') return templateProblemText.imageMissing;
  return /\s/.test(image) ? templateProblemText.imageSpace : null;
}

function mountPathProblem(path: string): string | null {
  if (!path.startsWith('/')) return templateProblemText.mountPathRelative;
  return /[\0\n\r]/.test(path) ? templateProblemText.mountPathLines : null;
}

function sizeChecked(field: 'containerDiskInGb' | 'volumeInGb', typed: string): Checked {
  const text = typed.trim();
  const message =
    text === ''
      ? templateProblemText.sizeMissing
      : /^-\s*\d/.test(text)
        ? templateProblemText.sizeNegative
        : !/^\d+$/.test(text)
          ? templateProblemText.sizeNotWhole
          : !Number.isSafeInteger(Number(text))
            ? templateProblemText.sizeTooLarge
            : null;
  return message === null
    ? { problems: [], body: { [field]: Number(text) } }
    : { problems: [{ field, index: null, message }], body: {} };
}

function argumentsChecked(field: 'dockerEntrypoint' | 'dockerStartCmd', list: readonly string[]): Checked {
  const problems = list.flatMap((argument, index): FieldProblem[] =>
    argument.includes('\0') ? [{ field, index, message: templateProblemText.argumentNul }] : [],
  );
  return problems.length === 0 ? { problems, body: { [field]: [...list] } } : { problems, body: {} };
}

/** Why `entry` is not `<port>/<protocol>` (spec: Template, ports), or null. */
function portProblem(entry: string): string | null {
  const [port = '', protocol, ...more] = entry.trim().split('/');
  if (port === '') return portProblemText.missing;
  if (!/^\d+$/.test(port)) return portProblemText.notNumber(shortened(port));
  if (/^0\d/.test(port)) return portProblemText.leadingZero;
  if (Number(port) < 1 || Number(port) > 65_535) return portProblemText.outOfRange(shortened(port));
  if (protocol === undefined || protocol === '') return portProblemText.protocolMissing;
  if (more.length > 0 || (protocol !== 'http' && protocol !== 'tcp'))
    return portProblemText.unknownProtocol(shortened([protocol, ...more].join('/')));
  return null;
}

function portsChecked(entries: readonly string[]): Checked {
  const seen = new Map<string, number>();
  const problems: FieldProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const text = entry.trim();
    const first = seen.get(text);
    const message = portProblem(entry) ?? (first === undefined ? null : templateProblemText.inLine(text, first + 1));
    if (message !== null) problems.push({ field: 'ports', index, message });
    if (first === undefined) seen.set(text, index);
  }
  return problems.length === 0
    ? { problems, body: { ports: entries.map((entry) => entry.trim()) } }
    : { problems, body: {} };
}

/** Why a variable cannot have this name, or null. */
export function envNameProblem(name: string): string | null {
  if (name === '') return envProblemText.nameMissing;
  if (name === '__proto__') return envProblemText.reservedName(name);
  return /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) ? null : envProblemText.badName;
}

function envChecked(entries: readonly EnvEntry[], known: KnownForPlan | null): Checked {
  const problems: FieldProblem[] = [];
  const seen = new Map<string, number>();
  const knownNames = new Set(known?.template.env ?? []);
  for (const [index, { name, value, from }] of entries.entries()) {
    const first = seen.get(name);
    // A name from the service is allowed, as long as a body can contain it.
    const nameMessage =
      (knownNames.has(name) && name !== '__proto__' && name !== '' ? null : envNameProblem(name)) ??
      (first === undefined ? null : templateProblemText.inLine(name, first + 1));
    if (nameMessage !== null) problems.push({ field: 'env', index, part: 'name', message: nameMessage });
    if (first === undefined) seen.set(name, index);
    const valueMessage =
      value === null
        ? keptProblem(from, knownNames.has(name), known)
        : value.includes('\0')
          ? envProblemText.valueNul
          : null;
    if (valueMessage !== null) problems.push({ field: 'env', index, part: 'value', message: valueMessage });
  }
  return {
    problems,
    body: problems.length === 0 ? { env: Object.fromEntries(entries.map(({ name, value }) => [name, value])) } : {},
  };
}

/** Why an unchanged value cannot be sent. Null if main can fill it in. */
function keptProblem(from: number | undefined, isKnown: boolean, known: KnownForPlan | null): string | null {
  if (from !== undefined) return null;
  if (!isKnown) return envProblemText.valueUnknown;
  return known?.isEnvLost === true ? envProblemText.valueLost : null;
}

function shortened(text: string): string {
  return text.length > 12 ? `${text.slice(0, 12)}…` : text;
}
