import { Captions } from 'lucide-react';
import type { Job } from '../../../src-preload/job.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Menu } from '../../design/menu.tsx';
import { transcriptText } from '../../messages/job/media.ts';
import { saveText } from '../../data/save-file.ts';
import { subRipOf, webVttOf } from './subtitles.ts';
import type { TranscriptSegment } from './transcript.ts';

/** Saves a transcript as subtitles. */
export function TranscriptMenu({ job, segments }: { job: Job; segments: readonly TranscriptSegment[] }) {
  const name = job.jobId?.slice(0, 8) ?? job.key;
  return (
    <Menu
      align="end"
      trigger={<IconButton label={transcriptText.save} size="sm" hasSmallGlyph icon={<Captions />} />}
      items={[
        {
          kind: 'item',
          label: transcriptText.saveSubRip,
          onSelect: () => saveText(`${name}.srt`, subRipOf(segments), 'application/x-subrip'),
        },
        {
          kind: 'item',
          label: transcriptText.saveWebVtt,
          onSelect: () => saveText(`${name}.vtt`, webVttOf(segments), 'text/vtt'),
        },
      ]}
    />
  );
}
