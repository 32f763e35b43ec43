import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';
import { commentsIn, titlesIn, wordsIn } from './words.ts';

/** Phrases of docs/words.md that are wrong in every sentence a user may read. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(?:not|is|are|was|were) told\b/i, 'reported, shown, notified'],
  [/\btells (?:of|that|which|how)\b/i, 'reports'],
  [/\b(?:look|looks|looked|looking) at\b/i, 'check'],
  [/\bof ours\b/i, 'our share, used, yours'],
  [/\balso (?:when|not)\b/i, 'even when'],
  [/\b(?:by itself|by themselves)\b/i, 'automatically'],
  [/\banew\b/i, 'again'],
  [/\bonce more\b/i, 'again'],
  [/\bany more\b/i, 'no longer'],
  [/\bnobody\b/i, 'say who acts'],
  [/\b(?:does|do) not hold\b/i, 'is not valid, needs fixing'],
  [/\blive jobs?\b/i, 'active job'],
  [/\b(?:leaves|left|leave) the (?:server|service)\b/i, 'expires on the server'],
  [/\btake[sn]? (?:back|over)\b|\btaken up\b/i, 'cancel, import, add'],
  [/\bunder way\b/i, 'in progress'],
  [/\b(?:follow|following|followed) (?:a |the |this |these )?jobs?\b/i, 'track'],
  [/\banybody\b/i, 'anyone'],
  [/(?<!there )\bis no (?:id|number|job|pod|file|image|name)\b/i, 'is not a …'],
  [/\basks? for (?:fewer|a pause)\b/i, 'rate limited'],
  [/\bas asked\b/i, 'exactly as sent, as requested'],
  [/\bfree room\b/i, 'free space'],
  [/\bIn all$/, 'Total'],
  [/\b(?:go|goes) on\b/i, 'continues'],
  [/\btakes? (?:less than|at most)\b/i, 'accepts less than'],
  [/^(?:Not now|Keep (?:it|them)|Leave as it is|Stay here)$/, 'Cancel, or Don’t cancel'],
];

/** As in the service's, users' jobs and don't; inserted values are `…` here. */
const straightApostrophe = /[A-Za-z…]'(?:s|t|re|ll|ve|d|m)\b|s' [a-z]/;

/** Rooms whose strings a user reads. Those of the sandbox are read by the author of a handler. */
const rooms = [
  'src-renderer/**/*.{ts,tsx}',
  'src-preload/**/*.ts',
  'src-main/messages/**/*.ts',
  'src-main/{alerts,connection,cost,desktop,pod,purge,secret,service,settings,template,webhook}/**/*.ts',
  'src-main/{engine,health,job,notifications,history/export,sandbox}/**/*.ts',
  'src-main/main.ts',
];

describe('the words of the windows (docs/words.md)', () => {
  const paths = globSync(rooms, { cwd: projectDir });

  it('has no phrase that the style bans', () => {
    expect(paths.length).toBeGreaterThan(500);
    const found = paths.flatMap((path) =>
      wordsIn(path, readFileSync(join(projectDir, path), 'utf8')).flatMap(({ line, text }) =>
        banned.filter(([pattern]) => pattern.test(text)).map(([, better]) => `${path}:${line} "${text}": ${better}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it('has no straight apostrophe in the windows or in messages of main', () => {
    const said = globSync(['src-renderer/**/*.{ts,tsx}', 'src-{preload,main}/messages/**/*.ts'], { cwd: projectDir });
    expect(said.length).toBeGreaterThan(400);
    const found = said.flatMap((path) =>
      wordsIn(path, readFileSync(join(projectDir, path), 'utf8'))
        .filter(({ text }) => straightApostrophe.test(text))
        .map(({ line, text }) => `${path}:${line} "${text}"`),
    );
    expect(found).toEqual([]);
  });

  it('reads strings, templates and the text of elements, and no comment or import', () => {
    const source = [
      "import { x } from './live jobs.ts';",
      '// nobody asks',
      'const a = "told by itself";',
      'const b = <p>Keep them</p>;',
      'const c = `${a} any more`;',
      "type T = 'of ours';",
    ].join('\n');
    expect(wordsIn('a.tsx', source)).toEqual([
      { line: 3, text: 'told by itself' },
      { line: 4, text: 'Keep them' },
      { line: 5, text: '… any more' },
    ]);
  });
});

/** Turns of phrase that a reader stumbles over in a comment, and what says it plainly. */
const stilted: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, 'say what is not done or not known, or who acts'],
  [/\banew\b/i, 'again'],
  [/\bonce more\b/i, 'again'],
  [/\bwhoever\b/i, 'the caller, the reader, the listener'],
  [/\b(?:go|goes|going) on\b/i, 'continues'],
  [/\bas it stands\b/i, 'as it is, current, unchanged'],
  [/\btold\b/i, 'called with, reported, notified'],
  [/\btells (?:of|that|which|how|whether)\b/i, 'reports'],
  [/\bany more\b/i, 'no longer'],
  [/\bhears\b/i, 'is called with, gets'],
  [/\bunder way\b/i, 'in progress'],
  [/\b(?:look|looks|looked|looking) at\b|\ba look\b/i, 'read, check, show'],
  [/\bby (?:itself|themselves)\b|\bof its own accord\b/i, 'automatically, alone, or who does it'],
  [/\bwhat of an?\b/i, 'the part of a … that'],
  [/\b(?:is|are|was|were) said\b|\bsaid in passing\b/i, 'shown, reported, notified'],
  [/\bon view\b/i, 'shown, visible'],
  [/\bkept true\b/i, 'kept current'],
  [/\bso many\b/i, 'a number, or as many as'],
  [/\bas asked\b/i, 'exactly as sent, as requested'],
  [/\bat hand\b/i, 'say where it is'],
  [/\b(?:takes?|taken|taking) (?:back|over)\b/i, 'cancel, import, adopt'],
  [/\bgives? way\b/i, 'yields, is replaced, shrinks'],
  [/\bcomes? of\b/i, 'results from'],
  [/\bfor the sake of\b/i, 'to, because of'],
  [/\bin vain\b/i, 'without result, failed'],
  [/\bas (?:it|they) now stands?\b|\bso (?:short|long) a\b/i, 'as it is now, this long'],
  [/\b(?:upon|thereof|thereby|whereby|wherein|therein)\b/i, 'two sentences'],
  [/\b(?:births?|born)\b/i, 'new, inserted'],
  [/(?:^|[.:;] )Of [^.,:;]*,/, 'the noun first: "the ends of a long text"; or "in a …", "for a …", "if …"'],
];

describe('the comments of the engine, the bridge, the windows and the tools', () => {
  const paths = globSync(['{src-main,src-preload,src-renderer,test/kit,test/run}/**/*.{ts,tsx}'], { cwd: projectDir });

  it('have no turn of phrase that has to be read twice', () => {
    expect(paths.length).toBeGreaterThan(900);
    const found = paths.flatMap((path) =>
      commentsIn(path, readFileSync(join(projectDir, path), 'utf8')).flatMap(({ line, text }) =>
        stilted.filter(([pattern]) => pattern.test(text)).map(([, better]) => `${path}:${line} "${text}": ${better}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it('are joined over their lines, and strings are not comments', () => {
    const source = ['/**', ' * It goes', ' * on.', ' */', "const a = 'told'; // whoever"].join('\n');
    expect(commentsIn('a.ts', source)).toEqual([
      { line: 1, text: 'It goes on.' },
      { line: 5, text: 'whoever' },
    ]);
  });
});

/** What a title must not have either: words of a former private language, and clauses with the verb before the subject. */
const stiltedTitles: readonly (readonly [RegExp, string])[] = [
  ...stilted,
  [/\bof ours\b/i, 'our …'],
  [/\banybody\b|\bsomebody\b|\beverybody\b/i, 'say who'],
  [/\bwish(?:es|ed)?\b/i, 'requests, candidates'],
  [/\binsists?\b/i, 'retries until'],
  [/\b(?:strays?|sightings?|docket|tellers?|tellings?)\b/i, 'unknown jobs, webhook matches, record, notifier'],
  [/\b(?:nor|only then|not until) (?:is|are|was|were|do|does|did|has|have|can|will)\b/i, 'subject first'],
  [/\b(?:were|had|should) (?:it|they)\b/i, 'if it …'],
  [
    /^of (?:(?!if |when |while |unless |after |before )[^,:;])* (?:the|only|each|all) \w+ (?:is|are|stays?|shows?)\b/i,
    'subject first',
  ],
];

describe('the titles of tests', () => {
  it('have no turn of phrase that has to be read twice', () => {
    const paths = globSync('test/**/*.{test,spec}.{ts,tsx}', { cwd: projectDir });
    const titles = paths.flatMap((path) =>
      titlesIn(path, readFileSync(join(projectDir, path), 'utf8')).map(({ line, text }) => ({ path, line, text })),
    );
    expect(titles.length).toBeGreaterThan(4_500);
    const found = titles.flatMap(({ path, line, text }) =>
      stiltedTitles
        .filter(([pattern]) => pattern.test(text))
        .map(([, better]) => `${path}:${line} "${text}": ${better}`),
    );
    expect(found).toEqual([]);
  });

  it('are found in every form that declares a test, and nowhere else', () => {
    const source = [
      "describe('a', () => {",
      "  it.each([['told']])('b', () => {});",
      '  test.describe(`c ${d}`, () => {});',
      "  it.skipIf(x)('e', () => is('nobody'));",
      '});',
    ].join('\n');
    expect(titlesIn('a.test.ts', source)).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b' },
      { line: 3, text: 'c …' },
      { line: 4, text: 'e' },
    ]);
  });
});
