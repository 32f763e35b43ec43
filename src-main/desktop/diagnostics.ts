import { readFile } from 'node:fs/promises';
import { homedir, release, totalmem } from 'node:os';
import { app } from 'electron';
import type { Engine } from '../engine/engine.ts';
import { formatDiagnostics } from './diagnostics-text.ts';

interface DiagnosticsInput {
  engine: Pick<Engine, 'settings' | 'trackerState' | 'keyStorage' | 'notices' | 'history'>;
  logPath: string;
  redact: (text: string) => string;
}

/** The content of a bug report. The user reads it before copying; it is not sent anywhere. */
export async function collectDiagnostics({ engine, logPath, redact }: DiagnosticsInput): Promise<string> {
  const counts = await engine.history.counts().catch(() => null);
  const { isPaused, tracked, waitingToSend, outcomeUnknown, connections, closures } = engine.trackerState();
  const settings = engine.settings();
  return formatDiagnostics({
    facts: [
      ['Jobdeck', app.getVersion()],
      ['Electron', process.versions['electron'] ?? 'stand-in'],
      ['Chromium', process.versions['chrome'] ?? 'system'],
      ['Node', process.versions.node],
      ['System', `${process.platform} ${release()} ${process.arch}`],
      ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
      ['Desktop', process.env['XDG_CURRENT_DESKTOP'] ?? 'not named'],
      ['Keys in', engine.keyStorage().kind],
      ['Saved jobs', String(counts?.all.all ?? 'could not be counted')],
      ['Tracked', `${tracked}, ${waitingToSend} to send, ${outcomeUnknown} unknown${isPaused ? ', paused' : ''}`],
      ['Connections', connections.map(({ state }) => state.kind).join(', ') || 'none'],
      ['Refused', closures.map(({ operation, httpStatus }) => `${operation} ${httpStatus}`).join(', ') || 'nothing'],
      ['Rate share', String(settings.rateShare)],
      ['Proxy', settings.proxy.kind],
      [
        'Notices',
        engine
          .notices()
          .map(({ id }) => id)
          .join(', ') || 'none',
      ],
    ],
    log: await readFile(logPath, 'utf8').catch(() => ''),
    homeDir: homedir(),
    redact,
  });
}
