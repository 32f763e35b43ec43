import { useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/text-field.tsx';
import { readTags } from './tags.ts';

/** The tags of a job, typed with commas between them. */
export function TagsDialog({ job, isOpen, onClose }: { job: Job; isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Tags" isOpen={isOpen} onClose={onClose}>
      <TagsForm job={job} onClose={onClose} />
    </Dialog>
  );
}

function TagsForm({ job, onClose }: { job: Job; onClose: () => void }) {
  const [text, setText] = useState(job.tags.join(', '));
  const [problem, setProblem] = useState<string | null>(null);
  const read = readTags(text);
  const keep = async (): Promise<void> => {
    if (read.problem !== null) return;
    const result = await call('job:tag', { key: job.key, tags: read.tags });
    if (result.ok) onClose();
    else setProblem(result.failure.message);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <TextField
        aria-label="Tags"
        autoFocus
        value={text}
        placeholder="nightly, seed 7744"
        hint="Commas between them. Find them again with tag: in the filter."
        problem={read.problem ?? problem}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
      />
      <div className="row" style={{ justifyContent: 'flex-end', padding: '14px 0 14px' }}>
        <Button variant="ghost" onClick={onClose}>
          Close
        </Button>
        <Button variant="primary" type="submit">
          Keep tags
        </Button>
      </div>
    </form>
  );
}
