import { ExternalLink } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { outputLinksText } from '../../messages/job/media.ts';
import { openLinkText } from '../../messages/navigation.tsx';
import { askToOpen } from '../../navigation/open-requests.ts';
import type { OutputLink } from './find-images.ts';
import styles from './output-links.module.css';

/** Addresses in an output. They are opened in the browser after a question, and never loaded here. */
export function OutputLinks({ links, kind }: { links: readonly OutputLink[]; kind: 'images' | 'files' }) {
  if (links.length === 0) return null;
  return (
    <ul className={styles.links} aria-label={outputLinksText[kind]}>
      {links.map(({ url, path }) => (
        <li key={path}>
          <span className="mono trunc" title={url}>
            {url}
          </span>
          <Button
            size="sm"
            variant="ghost"
            icon={<ExternalLink />}
            onClick={() => askToOpen(url, outputLinksText.owner)}
          >
            {openLinkText.open}
          </Button>
        </li>
      ))}
      <li className="cap t3">{kind === 'images' ? outputLinksText.imagesNotLoaded : outputLinksText.filesNotLoaded}</li>
    </ul>
  );
}
