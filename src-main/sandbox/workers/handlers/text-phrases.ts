/** The phrases of the text handler. `{...}` is filled in by text-document.ts. */

export const WORDS: Readonly<Record<string, readonly string[]>> = {
  codename: [
    'Quillwort',
    'Heliograph',
    'Marzipan',
    'Zephyrine',
    'Ferrimagnet',
    'Tanglewood',
    'Obsidian',
    'Periwinkle',
    'Saltmarsh',
    'Brambling',
  ],
  person: ['Ines', 'Tomasz', 'Amara', 'Jonas', 'Priya', 'Mateo', 'Yuki', 'Lena'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  month: ['January', 'March', 'April', 'June', 'September', 'November'],
  zone: ['zone A', 'zone C', 'the Lisbon cluster', 'the Tromsø cluster', 'the Osaka cluster'],
  cache: ['session cache', 'tokenizer cache', 'thumbnail cache', 'routing table', 'price index'],
  cause: ['A routine deploy', 'A feature flag', 'A certificate renewal', 'A library upgrade', 'A schema migration'],
  alert: ['queue-depth', 'saturation', 'stale-heartbeat', 'latency budget'],
  check: ['canary', 'load test', 'shadow run', 'dry run'],
  feature: [
    'resumable uploads',
    'streamed previews',
    'batched writes',
    'zstd-compressed snapshots',
    'per-tenant quotas',
  ],
  fix: [
    'a leak in the connection pool',
    'an off-by-one error in the paging cursor',
    'a race between cancel and completion',
    'a wrong unit in the latency chart',
  ],
};

export const INCIDENT = `# Incident review: {topic}

On {day}, {3-28} {month}, the {codename} service slowed down around {topic}. For {18-55} minutes about {6-31} % of requests waited too long, and {120-940} jobs ran again. No data was lost.

## What happened

1. {cause} doubled the size of the {cache}.
2. Workers in {zone} ran out of memory.
3. The queue grew to {1100-4800} jobs before the {alert} alert fired.
4. {person} rolled the change back; the backlog drained in {7-24} minutes.

## What we will change

- Alert on queue depth as well as on errors.
- Rehearse the rollback for {keyword} monthly.

Filed under: {filed}.
`;

export const RELEASE_NOTES = `# Release notes: {topic}

Release {1-6}.{0-14} ({codename}) is about {topic}. It is small in features and large in calm: the median job finishes {11-38} % sooner, and the slowest one in a hundred takes {2-6} seconds instead of {9-20}.

## What is new

1. Support for {feature}, on by default.
2. Early access to {feature} in {zone}.
3. Every refusal of {keyword} now says what to do next.

## What is fixed

- {person} removed {fix}.
- The {cache} no longer grows without bound.
- The {alert} alert fires once a minute at most.

No action is needed.

Filed under: {filed}.
`;

export const EXTRA_SECTIONS: readonly string[] = [
  `

## Timeline

- 09:{10-29}: {cause} reaches {zone}; nobody notices a change.
- 09:{30-44}: the first worker restarts, and {codename} takes over its jobs.
- 09:{45-59}: the {alert} alert fires, and {person} opens the incident.
- 10:{10-29}: a {check} shows that the {cache} is twice its usual size.
- 10:{30-59}: the change is rolled back and the queue starts to drain.
`,
  `

## Contributing factors

The {cache} was sized for last year's traffic. The {check} ran with {2-9} % of real load, so the growth stayed below every threshold. The {alert} alert had been muted on {day} for an unrelated test and was switched on again {14-40} hours later than planned.
`,
  `

## What went well

{person} recognised the pattern from an earlier {codename} incident and said so within {2-8} minutes. Jobs that had already finished kept their results, and everything about {keyword} stayed readable while {zone} was recovering.
`,
  `

## Follow-up

1. {person} adds a {check} at full load before the next release.
2. {person} moves the {cache} out of the worker's memory.
3. The team reviews {fix} and closes the ticket by the {3-28}th of {month}.
4. The runbook for {topic} gains a section on {feature}.
`,
  `

## In numbers

Over the {3-9} hours around the incident the service accepted {12000-98000} jobs. It completed {91-99} % of them at the first attempt, ran {120-940} again, and cancelled {3-60} at the request of their owners. The longest wait was {41-290} seconds, in {zone}.
`,
];
