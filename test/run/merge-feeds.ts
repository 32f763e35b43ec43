import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mergeFeeds } from './feed/merge-feeds.ts';

/*
 * merge-feeds.ts --out FILE FEED...
 * Part of the workflow, after both kinds of Mac were packed: makes one latest-mac.yml of theirs.
 */
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
if (values.out === undefined) throw new Error('merge-feeds.ts needs --out FILE.');
writeFileSync(values.out, mergeFeeds(positionals.map((path) => readFileSync(path, 'utf8'))));
