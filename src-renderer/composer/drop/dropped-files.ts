/** Dropped files, including those in dropped folders, in the order of their names. */
export interface DroppedFiles {
  files: File[];
  /** The dropped folder. Null for files. */
  folderName: string | null;
  /** Names of files and folders that could not be opened. */
  unreadable: string[];
  /** There were more files than are read. */
  isCut: boolean;
}

/** As many as a batch can have rows. */
const maxFiles = 20_000;

/** Reads what was dropped. Must be called within the event, because the data is not available afterwards. */
export function droppedFiles(data: DataTransfer): Promise<DroppedFiles> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // A file that was added by a script has no entry.
  return entries.length === 0 ? Promise.resolve(chosenFiles(data.files)) : gathered(entries);
}

/** Files without folders, in the order of their names. */
export function chosenFiles(files: Iterable<File>): DroppedFiles {
  const sorted = [...files].sort((one, other) => byName(one.name, other.name));
  return { files: sorted, folderName: null, unreadable: [], isCut: false };
}

async function gathered(entries: FileSystemEntry[]): Promise<DroppedFiles> {
  const folder = entries.find((entry) => entry.isDirectory);
  const files: { path: string; file: File }[] = [];
  const unreadable: string[] = [];
  const waiting = [...entries];
  let isCut = false;
  while (waiting.length > 0 && files.length < maxFiles) {
    const entry = waiting.shift();
    // Hidden files belong to the system.
    if (entry === undefined || entry.name.startsWith('.')) continue;
    try {
      if (isDirectory(entry)) {
        const { children, isMore } = await childrenOf(entry);
        waiting.push(...children);
        isCut ||= isMore;
      }
      if (isFile(entry)) files.push({ path: entry.fullPath, file: await fileOf(entry) });
    } catch {
      unreadable.push(entry.name);
    }
  }
  files.sort((one, other) => byName(one.path, other.path));
  return {
    files: files.map(({ file }) => file),
    folderName: folder?.name ?? null,
    unreadable: unreadable.sort(byName),
    isCut: isCut || waiting.length > 0,
  };
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** What a folder contains. `isMore`: there is more than can be used. */
async function childrenOf(
  directory: FileSystemDirectoryEntry,
): Promise<{ children: FileSystemEntry[]; isMore: boolean }> {
  const reader = directory.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // A reader returns at most a hundred entries.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return { children, isMore: false };
    if (children.length >= maxFiles) return { children, isMore: true };
    children.push(...some);
  }
}
