export interface DocumentRequest {
  prompt: string;
  random: () => number;
  maxTokens: number;
}

const STOP_WORDS = new Set(
  (
    'about after also and compose describe draft explain are because been before but can could does for from ' +
    'give have into its just like make more most not now our out please should some summarise summarize tell ' +
    'than that the their them then there these they this those very was were what when where which while who ' +
    'why will with would write you your'
  ).split(' '),
);
const TOPIC_MAX_LENGTH = 48;
/** What a prompt is about is in its beginning. A prompt can have 20 MB. */
const READ_LENGTH = 10_000;

/** "Write release notes for the importer" is about "the importer"; any other prompt is its own topic. */
function topicOf(prompt: string): string {
  const line =
    prompt
      .trim()
      .replace(/\s+/g, ' ')
      .split(/(?<=[.?!])\s/)[0] ?? '';
  const request =
    /^(?:please\s+)?(?:(?:write|draft|compose|create|give|tell|summari[sz]e|explain|describe|review)\b.*?|(?:release notes|incident review|changelog|summary|post-?mortem))\s(?:about|for|of|on)\s+(.+)$/i;
  const topic = (request.exec(line)?.[1] ?? line)
    .replace(/(?:[\s.?!:;,]|,?\splease\b)+$/i, '')
    .replace(/[*_`#<>[\]]/g, '');
  if (topic.length <= TOPIC_MAX_LENGTH) return topic === '' ? 'the checkout slowdown' : topic;
  const cut = topic.slice(0, TOPIC_MAX_LENGTH).replace(/\s+\S*$/, '');
  return cut.replace(/(?:,?\s(?:a|and|for|in|of|on|or|the|to|which|with))+$/, '');
}

function keywordsOf(prompt: string): string[] {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]{3,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word)).slice(0, 4);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A readable markdown text about the prompt as tokens (a word with the white space before it each): an incident review,
 * or release notes if the prompt asks for a release. The main part has about 120 tokens; more sections follow as far as
 * `maxTokens` allows, and the last is cut there, like a model's answer. Rare code words and the prompt's own words make
 * it easy to find again.
 */
export function* writeDocument({ prompt, random, maxTokens }: DocumentRequest): Generator<string> {
  const beginning = prompt.trimStart().slice(0, READ_LENGTH);
  const topic = topicOf(beginning);
  const keywords = keywordsOf(beginning);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const codename = pick(WORDS['codename'] ?? []);
  const fixed: Record<string, string> = {
    topic,
    Topic: capitalised(topic),
    codename,
    keyword: keywords.at(-1) ?? 'checkout',
    filed: [...keywords, codename.toLowerCase()].join(', '),
  };

  /** `{word}` from the fixed words or a list, `{3-40}` a number in that range. */
  const fill = (template: string): string =>
    template.replace(/\{([^}]+)\}/g, (_match, name: string) => {
      const range = /^(\d+)-(\d+)$/.exec(name);
      if (range === null) return fixed[name] ?? pick(WORDS[name] ?? []);
      const [low, high] = [Number(range[1]), Number(range[2])];
      return String(low + Math.floor(random() * (high - low + 1)));
    });
  const tokensOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

  let left = maxTokens;
  const main = tokensOf(fill(/release|changelog|version|what'?s new/i.test(beginning) ? RELEASE_NOTES : INCIDENT));
  yield* main.slice(0, left);
  left -= main.length;

  for (let part = 0; left > 0; part += 1) {
    const template = EXTRA_SECTIONS[part % EXTRA_SECTIONS.length] ?? '';
    const round = Math.floor(part / EXTRA_SECTIONS.length);
    const section = tokensOf(fill(round === 0 ? template : template.replace(/^(\s*## .*)$/m, `$1, part ${round + 1}`)));
    // A few words of a section would look broken, so it ends with the one before.
    if (left < section.length / 2) return;
    yield* section.slice(0, left);
    left -= section.length;
  }
}

/** The phrases of the text handler. `{...}` is filled in by text-document.ts. */

const WORDS: Readonly<Record<string, readonly string[]>> = {
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

const INCIDENT = `# Incident review: {topic}

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

const RELEASE_NOTES = `# Release notes: {topic}

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

const EXTRA_SECTIONS: readonly string[] = [
  `

## Timeline

- 09:{10-29}: {cause} reaches {zone}; no one notices a change.
- 09:{30-44}: the first worker restarts, and {codename} gets its jobs.
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
