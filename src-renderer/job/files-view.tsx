import { Download, FileAudio, FileBox, FileVideo, Play, ScanText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatBytes } from '../design/format.ts';
import { toast } from '../design/toast.tsx';
import { saveFile } from '../stream/save-file.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import { hexLines } from './file-bytes.ts';
import { blobOf, fileSaveName, firstBytes, type FoundFile, type OutputLink } from './find-images.ts';
import { OutputLinks } from './output-links.tsx';
import styles from './files-view.module.css';

/** How many bytes are shown in hex. The saved file has all of them. */
const shownBytes = 4_096;

const icons = { audio: <FileAudio />, video: <FileVideo />, file: <FileBox /> } as const;

/**
 * Audio, video and other files in an output: played from the saved bytes, shown in hex, saved. Addresses of further
 * files are listed.
 */
export function FilesView({
  files,
  links,
  jobName,
}: {
  files: readonly FoundFile[];
  links: readonly OutputLink[];
  jobName: string;
}) {
  return (
    <div className={styles.view}>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Files">
          {files.map((file, at) => (
            <FileCard key={file.path} file={file} at={at} jobName={jobName} />
          ))}
        </ul>
      )}
      <OutputLinks links={links} kind="files" />
    </div>
  );
}

function FileCard({ file, at, jobName }: { file: FoundFile; at: number; jobName: string }) {
  const [isHex, setHex] = useState(false);
  const [isPlayed, setPlayed] = useState(false);
  const name = file.filename ?? (file.path === '' ? 'output' : file.path);
  return (
    <li className={styles.file}>
      <div className={styles.head}>
        {icons[file.kind]}
        <span className={styles.name} title={file.path}>
          {name}
        </span>
        <span className={styles.facts}>
          {file.extension}, {formatBytes(file.bytes)}
        </span>
        <span className={styles.gap} />
        {file.kind !== 'file' && !isPlayed && (
          <Button size="sm" icon={<Play />} onClick={() => setPlayed(true)}>
            Play
          </Button>
        )}
        <Button size="sm" icon={<ScanText />} aria-expanded={isHex} onClick={() => setHex(!isHex)}>
          Hex
        </Button>
        <Button size="sm" icon={<Download />} onClick={() => saveFound(file, fileSaveName(file, at, jobName))}>
          Save as
        </Button>
      </div>
      {isPlayed && <Player file={file} name={name} />}
      {isHex && <Hex file={file} name={name} />}
    </li>
  );
}

/** The local address is created on request and released when the player is removed. */
function Player({ file, name }: { file: FoundFile; name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let made: string | null = null;
    const stop = decoded(file, (blob) => {
      if (blob === null) {
        setBroken(true);
        return;
      }
      made = URL.createObjectURL(blob);
      setUrl(made);
    });
    return () => {
      stop();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [file]);
  if (isBroken) return <p className={styles.note}>This cannot be played here; save it to open it elsewhere.</p>;
  if (url === null) return <p className={styles.note}>Reading</p>;
  const shared = { src: url, controls: true, 'aria-label': name, onError: () => setBroken(true) };
  return file.kind === 'audio' ? <audio {...shared} /> : <video className={styles.video} {...shared} />;
}

function Hex({ file, name }: { file: FoundFile; name: string }) {
  const bytes = firstBytes(file, shownBytes);
  return (
    <>
      <pre className={styles.hex} tabIndex={0} role="region" aria-label={`Bytes of ${name}`}>
        {bytes === null ? 'The data is damaged. The JSON view shows it as received.' : hexLines(bytes)}
      </pre>
      {file.bytes > shownBytes && (
        <p className={styles.note}>
          The first {formatBytes(shownBytes)} of {formatBytes(file.bytes)}.
        </p>
      )}
    </>
  );
}

function saveFound(file: FoundFile, name: string): void {
  decoded(file, (blob) => {
    if (blob === null) toast('Could not save the file: its text is damaged. The JSON view has it as it came.');
    else saveFile(name, blob);
  });
}

/** Decodes a file in small steps. Returns a function that stops it. */
function decoded({ base64, type }: FoundFile, onDone: (blob: Blob | null) => void): () => void {
  const steps = blobOf(base64, type);
  let next = steps.next();
  return inSlices(
    () => {
      next = steps.next();
    },
    () => next.done === true,
    () => {
      if (next.done === true) onDone(next.value);
    },
  );
}
