import { projectDir } from '../kit/electron-binary.ts';
import { measureHouse } from './house/measures.ts';
import { readSources } from './house/source-file.ts';
import { readTexts } from './house/texts.ts';

/*
 * npm run house: measures how the code is built, and fails if a limit is exceeded. `--all` lists every place, otherwise
 * the first few of each.
 */
const shown = process.argv.includes('--all') ? Infinity : 8;
const sources = await readSources(projectDir, ['src-preload', 'src-main', 'src-renderer']);
const measures = measureHouse(sources, readTexts());
let isBroken = false;
for (const { name, value, limit, places = [] } of measures) {
  const isOver = limit !== undefined && value > limit;
  if (isOver) isBroken = true;
  console.log(
    `${isOver ? 'OVER' : '    '}  ${name}: ${value.toLocaleString('en')}${limit === undefined ? '' : ` (at most ${limit.toLocaleString('en')})`}`,
  );
  for (const place of places.slice(0, shown)) console.log(`          ${place}`);
  if (places.length > shown) console.log(`          and ${places.length - shown} more`);
}
process.exitCode = isBroken ? 1 : 0;
