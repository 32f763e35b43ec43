import type { SourceFile } from './source-file.ts';

/**
 * A folder whose parts (its own folders and files) build on each other. Each part has the list of what it may import.
 * The parts are listed from the bottom up, so that a part names only parts above its line.
 */
export interface Building {
  folder: string;
  parts: Readonly<Record<string, readonly string[]>>;
}

const ground = ['messages', 'time', 'async', 'redaction', 'log.ts', 'whole-file.ts'];
const kept = [...ground, 'history', 'secret'];
const feature = [...kept, 'service'];

/** They do not import each other: `engine/` joins them. */
const features = [
  'alerts',
  'connection',
  'cost',
  'health',
  'job',
  'notifications',
  'pod',
  'purge',
  'settings',
  'template',
  'webhook',
];

const windowGround = ['messages', 'bridge.ts', 'design', 'call-or-report.ts', 'data'];
const windowFeature = [...windowGround, 'navigation'];

/**
 * The one table of who may import whom (docs/architecture.md: Rooms, The windows). Main's features do not import each
 * other. Those of the windows may import the features named here.
 */
export const buildings: readonly Building[] = [
  {
    folder: 'src-main',
    parts: {
      sandbox: [],
      messages: [],
      time: [],
      async: [],
      redaction: [],
      'log.ts': ['redaction'],
      'whole-file.ts': ['messages', 'time', 'async'],
      history: ground,
      secret: [...ground, 'history'],
      service: kept,
      ...Object.fromEntries(features.map((name) => [name, feature])),
      engine: [...feature, 'sandbox', ...features],
      desktop: [...feature, 'job', 'notifications', 'engine'],
      'main.ts': [...feature, 'notifications', 'engine', 'desktop'],
      'start.ts': ['main.ts'],
    },
  },
  {
    folder: 'src-main/job',
    parts: {
      reducer: [],
      forecast: [],
      store: ['reducer'],
      schedule: ['reducer', 'forecast'],
      context: ['reducer', 'store', 'schedule'],
      stream: ['reducer', 'store', 'schedule', 'context'],
      polling: ['reducer', 'forecast', 'store', 'schedule', 'context', 'stream'],
      commands: ['reducer', 'store', 'context', 'stream', 'polling'],
      'webhook-calls': ['context'],
      retry: ['reducer', 'store', 'context', 'polling'],
      submission: ['reducer', 'store', 'context', 'stream', 'polling'],
      'on-committed.ts': ['forecast', 'store', 'context', 'stream', 'polling', 'webhook-calls', 'submission'],
      tracker: ['reducer', 'forecast', 'store', 'schedule', 'context', 'stream', 'polling', 'commands', 'submission'],
      'jobs.ts': [
        'forecast',
        'store',
        'context',
        'stream',
        'polling',
        'commands',
        'webhook-calls',
        'retry',
        'submission',
        'on-committed.ts',
        'tracker',
      ],
    },
  },
  {
    folder: 'src-main/desktop',
    parts: {
      linux: [],
      pages: [],
      diagnostics: [],
      'copy-output.ts': [],
      'open-address.ts': [],
      'opening-engine.ts': [],
      notifications: ['copy-output.ts'],
      updates: [],
      'concealed-clipboard.ts': [],
      tray: ['linux', 'pages'],
      windows: ['pages', 'tray', 'open-address.ts'],
      links: ['windows'],
      'system-settings': ['links'],
      lifecycle: ['links', 'system-settings'],
      files: ['windows', 'lifecycle'],
      'electron-system.ts': ['linux', 'concealed-clipboard.ts', 'links'],
      'desktop-handlers.ts': [
        'pages',
        'diagnostics',
        'concealed-clipboard.ts',
        'copy-output.ts',
        'open-address.ts',
        'windows',
        'files',
        'system-settings',
      ],
      'connect-desktop.ts': [
        'links',
        'linux',
        'notifications',
        'updates',
        'concealed-clipboard.ts',
        'tray',
        'windows',
        'files',
        'system-settings',
        'lifecycle',
        'electron-system.ts',
      ],
    },
  },
  {
    folder: 'src-renderer',
    parts: {
      messages: [],
      'bridge.ts': ['messages'],
      design: ['messages', 'bridge.ts'],
      'call-or-report.ts': ['messages', 'bridge.ts', 'design'],
      data: ['messages', 'bridge.ts', 'design', 'call-or-report.ts'],
      navigation: windowGround,
      alerts: windowFeature,
      batches: windowFeature,
      bin: windowFeature,
      costs: windowFeature,
      purge: windowFeature,
      stream: windowFeature,
      printed: [...windowFeature, 'stream'],
      composer: [...windowFeature, 'costs'],
      json: [...windowFeature, 'stream'],
      pods: [...windowFeature, 'composer'],
      sandbox: [...windowFeature, 'stream', 'composer', 'printed'],
      templates: [...windowFeature, 'stream'],
      health: [...windowFeature, 'alerts', 'costs', 'purge'],
      job: [...windowFeature, 'batches', 'costs', 'stream', 'composer', 'json', 'printed'],
      compare: [...windowFeature, 'costs', 'stream', 'composer', 'json', 'job'],
      follow: [...windowFeature, 'job'],
      jobs: [...windowFeature, 'batches', 'costs', 'stream', 'composer', 'json', 'job'],
      failures: [...windowFeature, 'stream', 'composer', 'json', 'jobs'],
      notifications: [...windowFeature, 'alerts', 'job', 'failures'],
      settings: [...windowFeature, 'bin', 'notifications'],
      commands: [
        ...windowFeature,
        'batches',
        'composer',
        'follow',
        'job',
        'jobs',
        'pods',
        'purge',
        'sandbox',
        'settings',
        'templates',
      ],
      windows: [
        ...windowFeature,
        'alerts',
        'batches',
        'bin',
        'compare',
        'composer',
        'costs',
        'failures',
        'follow',
        'health',
        'job',
        'jobs',
        'notifications',
        'pods',
        'sandbox',
        'settings',
        'stream',
        'templates',
        'commands',
      ],
      'app.tsx': [...windowGround, 'navigation', 'composer', 'settings', 'windows'],
      'main.tsx': [...windowGround, 'batches', 'app.tsx'],
    },
  },
];

/**
 * Violations of a building's table: imports that it does not allow, parts that are in the folder and not in the table
 * or vice versa, and lines of the table that name a part below them.
 */
export function misplaced(files: readonly Pick<SourceFile, 'path' | 'imports'>[], building: Building): string[] {
  const { folder, parts } = building;
  const partOf = (path: string): string | null =>
    path.startsWith(`${folder}/`) ? (path.slice(folder.length + 1).split('/')[0] ?? null) : null;
  const present = new Set(files.flatMap(({ path }) => partOf(path) ?? []));
  const listed = Object.keys(parts);
  const forbidden = files.flatMap(({ path, imports }) => {
    const from = partOf(path);
    if (from === null) return [];
    return imports
      .filter((imported) => {
        const to = partOf(imported);
        return to !== null && to !== from && parts[from]?.includes(to) !== true;
      })
      .map((imported) => `${path} -> ${imported}`);
  });
  return [
    ...forbidden,
    ...[...present].filter((part) => !listed.includes(part)).map((part) => `${folder}/${part}: not in the table`),
    ...listed.filter((part) => !present.has(part)).map((part) => `${folder}/${part}: only in the table`),
    ...listed.flatMap((part, at) =>
      (parts[part] ?? [])
        .filter((other) => !listed.slice(0, at).includes(other))
        .map((other) => `${folder}/${part}: stands on ${other}, which is not above it in the table`),
    ),
  ];
}
