import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';

/*
 * Two things that Playwright does for each message to Chromium, and has no option against. Together they were a quarter
 * of its own work (decision 068). In effect from the import on.
 */

/*
 * It offers Chromium to compress all messages between them. Both are on this machine, where to compress a message costs
 * more than to send it.
 */
subscribe('http.client.request.created', (message) => {
  const request: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'request') : undefined;
  if (request instanceof ClientRequest && request.getHeader('upgrade') === 'websocket')
    request.removeHeader('sec-websocket-extensions');
});

/*
 * With each message it writes down where it was sent from, in case that there will be an error, and looks for a source
 * map of each place. Only those with a line of ours need that.
 */
const inSources = Error.prepareStackTrace;
if (inSources !== undefined)
  Error.prepareStackTrace = (error, frames) => {
    const stack: unknown = frames.every(isOfOthers)
      ? [String(error), ...frames.map(placeOf)].join('\n')
      : inSources(error, frames);
    return stack;
  };

function isOfOthers(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName() ?? 'node:';
  return file.startsWith('node:') || /[/\\]node_modules[/\\]/.test(file);
}

/** As V8 writes it. */
function placeOf(frame: NodeJS.CallSite): string {
  const at = `${frame.getFileName() ?? 'native'}:${frame.getLineNumber() ?? 0}:${frame.getColumnNumber() ?? 0}`;
  return `    at ${frame.getFunctionName() ?? '<anonymous>'} (${at})`;
}
