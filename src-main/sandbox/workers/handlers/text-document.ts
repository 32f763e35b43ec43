import { EXTRA_SECTIONS, INCIDENT, RELEASE_NOTES, WORDS } from './text-phrases.ts';

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

/** "Write release notes for the importer" is about "the importer"; any other prompt is its own topic. */
function topicOf(prompt: string): string {
  const line =
    prompt
      .trim()
      .replace(/\s+/g, ' ')
      .split(/(?<=[.?!])\s/)[0] ?? '';
  const asked =
    /^(?:please\s+)?(?:(?:write|draft|compose|create|give|tell|summari[sz]e|explain|describe|review)\b.*?|(?:release notes|incident review|changelog|summary|post-?mortem))\s(?:about|for|of|on)\s+(.+)$/i;
  const topic = (asked.exec(line)?.[1] ?? line)
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
 * A readable markdown text about the prompt as tokens (a word with the white space before it each):
 * an incident review, or release notes when the prompt asks for a release. The main part has about
 * 120 tokens; more sections follow as far as `maxTokens` allows, and the last is cut there, as a
 * model's answer is. Rare code words and the prompt's own words make it easy to find again.
 */
export function* writeDocument({ prompt, random, maxTokens }: DocumentRequest): Generator<string> {
  const topic = topicOf(prompt);
  const keywords = keywordsOf(prompt);
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
  const main = tokensOf(fill(/release|changelog|version|what'?s new/i.test(prompt) ? RELEASE_NOTES : INCIDENT));
  yield* main.slice(0, left);
  left -= main.length;

  for (let part = 0; left > 0; part += 1) {
    const template = EXTRA_SECTIONS[part % EXTRA_SECTIONS.length] ?? '';
    const round = Math.floor(part / EXTRA_SECTIONS.length);
    const section = tokensOf(fill(round === 0 ? template : template.replace(/^(\s*## .*)$/m, `$1, part ${round + 1}`)));
    // A few words of a section would look broken; better to end with the one before.
    if (left < section.length / 2) return;
    yield* section.slice(0, left);
    left -= section.length;
  }
}
