import type { EndpointFlavour } from '../../../src-preload/connection.ts';
import { formatAge, formatCountOf } from '../../../src-preload/format.ts';

/** `image`, as in any image endpoint. Null for a kind without a name. */
export const kindNames: Readonly<Record<EndpointFlavour, string | null>> = {
  unknown: null,
  text: 'text',
  image: 'image',
  audio: 'audio',
  embedding: 'embedding',
  other: null,
};

/** The list of presets. */
export const presetListText = {
  label: 'Presets',
  search: 'Search presets',
  empty: 'Save an input with its policy, tags and variables to start from it again.',
  noMatch: 'No preset matches.',
  anyEndpoint: (kind: string): string => `Any ${kind} endpoint`,
  ofAnyEndpoint: (kind: string): string => `Presets of any ${kind} endpoint`,
  newPreset: 'New preset from this input',
  merges: (keys: number): string => `merges ${formatCountOf(keys, 'key')}`,
  edits: (count: number): string => `${formatCountOf(count, 'edit')} since it was saved`,
  notUsed: 'not used yet',
  savedAgo: (ms: number): string => (ms < 60_000 ? 'saved just now' : `saved ${formatAge(ms)} ago`),
  used: (count: number): string => `used ${formatCountOf(count, 'time')}`,
  more: (name: string): string => `More: ${name}`,
  replace: 'Replace this input',
  merge: 'Merge its keys into this input',
  overwrite: 'Overwrite with this input',
  rename: 'Rename',
};

/** Inputs of completed jobs to start from. */
export const startingPointsText = {
  title: 'Starting points',
  smallest: 'Smallest input that ran',
  keys: (count: number): string => formatCountOf(count, 'key'),
  last: 'Last input that finished',
  ago: (ms: number): string => (ms < 60_000 ? 'just now' : `${formatAge(ms)} ago`),
};

/** What a job of the sandbox's mock endpoint can do, with the keys of its input. */
export const sandboxInputText = {
  title: 'What a mock job can do',
  wait: { label: 'Wait, then return a value', keys: 'mock_delay (ms), mock_return' },
  fail: { label: 'Fail with an error', keys: 'mock_error' },
  failure: 'CUDA out of memory: tried to allocate 5.10 GiB',
  crash: { label: 'Crash its worker', keys: 'mock_crash' },
  stream: { label: 'Stream values', keys: 'mock_stream' },
  progress: { label: 'Report progress', keys: 'mock_progress' },
};

/** The dialog that asks for the name of a preset. */
export const presetNameText = {
  renameTitle: 'Rename preset',
  save: 'Save preset',
  overwrite: 'Overwrite preset',
  name: 'Name',
  placeholder: 'Product shot, seed grid',
  overwrites: 'This endpoint already has a preset with this name. Saving overwrites it.',
  savesInput: 'Saves the input, variables, policy, tags and webhook for this endpoint.',
  savesWithoutRows: 'Saves variables, policy, tags and webhook, with what is under One input. Rows are not saved.',
  offerForKind: (kind: string): string => `Offer it for any ${kind} endpoint, to merge its keys`,
  needsName: 'Enter a name',
  nameTaken: 'Another preset of this endpoint has this name',
};
