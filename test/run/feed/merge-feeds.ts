import { parse, stringify } from 'yaml';
import { z } from 'zod';

const file = z.looseObject({ url: z.string().min(1), sha512: z.string().min(1) });
const feed = z.looseObject({
  version: z.string().min(1),
  files: z.array(file).min(1),
  path: z.string(),
  sha512: z.string(),
  releaseDate: z.string().optional(),
});
type Feed = z.infer<typeof feed>;

/** How electron-updater tells the two kinds of Mac apart: by this word in a file's name. */
const isArm64 = ({ url }: { url: string }): boolean => url.includes('arm64');
const isUpdate = ({ url }: { url: string }): boolean => url.endsWith('.zip');

/**
 * The feeds of one version for both kinds of Mac (`latest-mac.yml`), each built on its own, as one feed with the files
 * of all. `path` and `sha512`, for updaters that know of one file, are of the Intel zip, which runs on both. Throws with
 * the reason if one kind of Mac would get no update or a wrong one.
 */
export function mergeFeeds(texts: readonly string[]): string {
  const feeds = texts.map((text) => feed.parse(parse(text)));
  const [first] = feeds;
  if (first === undefined) throw new Error('There is no feed to merge.');
  const versions = [...new Set(feeds.map(({ version }) => version))];
  if (versions.length > 1) throw new Error(`The feeds are of different versions: ${versions.join(' and ')}.`);
  const files = distinct(feeds.flatMap((one) => one.files));
  const updates = files.filter(isUpdate);
  const intel = updates.filter((one) => !isArm64(one));
  const [zip] = intel;
  if (zip === undefined) throw new Error('There is no zip for Macs with Intel.');
  if (intel.length !== 1 || updates.length !== 2)
    throw new Error(
      `One zip for each kind of Mac is needed, and there is ${updates.map(({ url }) => url).join(', ')}.`,
    );
  const dates = feeds.flatMap(({ releaseDate }) => releaseDate ?? []).toSorted();
  const merged: Feed = { ...first, files, path: zip.url, sha512: zip.sha512 };
  return stringify({ ...merged, ...(dates.length === 0 ? {} : { releaseDate: dates.at(-1) }) }, { lineWidth: 0 });
}

/** Each file once. Two of one name with other contents would overwrite each other. */
function distinct(files: Feed['files']): Feed['files'] {
  const byUrl = new Map<string, Feed['files'][number]>();
  for (const one of files) {
    const known = byUrl.get(one.url);
    if (known !== undefined && known.sha512 !== one.sha512) throw new Error(`There are two files named ${one.url}.`);
    byUrl.set(one.url, one);
  }
  return [...byUrl.values()];
}
