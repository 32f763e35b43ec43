import { Download, FileAudio, FileBox, FileVideo, Play, ScanText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { filesText } from '../../messages/job/media.ts';
import { cutText } from '../../messages/job/output.ts';
import { fileSaveName, firstBytes, type FoundFile, type OutputLink } from './find-images.ts';
import { MediaPlayer } from './media-player.tsx';
import { saveFound } from './save-media.ts';
import { OutputLinks } from './output-links.tsx';
import styles from './files-view.module.css';

const lineBytes = 16;

/** Bytes in the usual form: the offset, sixteen in hex, and as characters. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += lineBytes) {
    const line = [...bytes.subarray(at, at + lineBytes)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = line.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(lineBytes * 3 - 1)}  ${letters}`);
  }
  return lines.join('\n');
}

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
        <ul className={styles.files} aria-label={filesText.files}>
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
  const name = file.filename ?? (file.path === '' ? filesText.output : file.path);
  return (
    <li className={styles.file}>
      <div className={styles.head}>
        {icons[file.kind]}
        <span className={styles.name} title={file.path}>
          {name}
        </span>
        <span className={styles.facts}>{filesText.facts(file.extension, file.bytes)}</span>
        <span className={styles.gap} />
        {file.kind !== 'file' && !isPlayed && (
          <Button size="sm" icon={<Play />} onClick={() => setPlayed(true)}>
            {filesText.play}
          </Button>
        )}
        <Button size="sm" icon={<ScanText />} aria-expanded={isHex} onClick={() => setHex(!isHex)}>
          {filesText.hex}
        </Button>
        <Button size="sm" icon={<Download />} onClick={() => void saveFound(file, fileSaveName(file, at, jobName))}>
          {filesText.saveAs}
        </Button>
      </div>
      {isPlayed && <MediaPlayer file={file} name={name} />}
      {isHex && <Hex file={file} name={name} />}
    </li>
  );
}

function Hex({ file, name }: { file: FoundFile; name: string }) {
  const bytes = firstBytes(file, shownBytes);
  return (
    <>
      <pre className={styles.hex} tabIndex={0} role="region" aria-label={filesText.bytesOf(name)}>
        {bytes === null ? filesText.damaged : hexLines(bytes)}
      </pre>
      {file.bytes > shownBytes && <p className={styles.note}>{cutText.first(shownBytes, file.bytes)}</p>}
    </>
  );
}
