import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { useNow } from '../data/use-now.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuEntries, type MenuEntry } from '../design/menu.tsx';
import { moreMenuText } from '../messages/job/pane.ts';

/** The entries of a job's menu at a moment. The window makes them of its commands. */
export type JobMenu = (job: Job, nowMs: number) => readonly MenuEntry[];

interface MoreMenuProps {
  job: Job;
  menuOf: JobMenu;
}

/** What can be done with a job beyond its buttons. */
export const MoreMenu = memo(function MoreMenu({ job, menuOf }: MoreMenuProps) {
  return (
    <Menu align="end" minWidth={248} trigger={<IconButton label={moreMenuText.more} icon={<Ellipsis />} />}>
      <Entries job={job} menuOf={menuOf} />
    </Menu>
  );
});

function Entries({ job, menuOf }: MoreMenuProps) {
  return <MenuEntries items={menuOf(job, useNow(15_000))} />;
}
