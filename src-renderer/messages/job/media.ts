import { formatBytes, formatCount } from '../../../src-preload/format.ts';
import type { MediaKind } from '../../../src-preload/base64-media.ts';
import { formatPosition } from './formats.ts';

const kindNames: Readonly<Record<MediaKind, string>> = { image: 'Image', audio: 'Sound', video: 'Video' };

/** The images of an output, and the sounds and videos of its stream. */
export const imagesText = {
  images: 'Images',
  /** The list, if there are sounds or videos among them. */
  media: 'Images and sounds',
  one: (kind: MediaKind, number: number): string => `${kindNames[kind]} ${number}`,
  oneOf: (kind: MediaKind, number: number, count: number): string => `${kindNames[kind]} ${number} of ${count}`,
  /** The name of what came in a stream. */
  inChunk: (number: number): string => `Chunk ${formatCount(number)}`,
  inChunks: (first: number, last: number): string => `Chunks ${formatCount(first)} to ${formatCount(last)}`,
  previous: 'Previous image',
  next: 'Next image',
  previousOne: 'Previous',
  nextOne: 'Next',
  damagedFile: 'This is damaged; its bytes are under JSON.',
  onlyFirst: (count: number): string => `Only the first ${count} images are shown`,
  damaged: 'This image is damaged; its bytes are under JSON.',
};

/** What can be done with an image or with all of them. */
export const imageActionsText = {
  compare: 'Compare with…',
  enlarge: 'Enlarge image',
  copy: 'Copy image',
  copied: 'Image copied',
  notCopied: 'Could not copy the image: its text is damaged. The JSON view has it as it came.',
  save: 'Save image',
  notSaved: 'Could not save the image: its text is damaged. The JSON view has it as it came.',
  saveAll: 'Save all',
  saveNewest: (count: number): string => `Save newest ${count}`,
  saveAllOf: (count: number): string => `Save all ${count} images`,
  /** Where there are sounds or videos among them. */
  saveAllFiles: (count: number): string => `Save all ${count} files`,
  saveFile: 'Save file',
  someNotSaved: (damaged: number, count: number): string =>
    `${damaged} of ${count} images are damaged and are not saved. The JSON view has them.`,
};

/** An image that covers the window. */
export const imageZoomText = {
  image: 'Image',
  place: (number: number, count: number): string => `${number} of ${count}`,
  smaller: 'Smaller',
  larger: 'Larger',
  fit: 'Fit',
  fullSize: 'Full size',
  scale: (scale: number): string => `${Math.round(scale * 100)} %`,
};

/** The sounds, videos and other files of an output. */
export const filesText = {
  files: 'Files',
  /** The name of an output that is a file itself. */
  output: 'output',
  facts: (extension: string, bytes: number): string => `${extension}, ${formatBytes(bytes)}`,
  play: 'Play',
  hex: 'Hex',
  bytesOf: (name: string): string => `Bytes of ${name}`,
  damaged: 'The data is damaged. The JSON view shows it as received.',
  saveAs: 'Save as',
  notSaved: 'Could not save the file: its text is damaged. The JSON view has it as it came.',
};

/** The player of a sound or a video. */
export const playerText = {
  reading: 'Reading',
  cannotPlay: 'This cannot be played here; save it to open it elsewhere.',
  play: (name: string): string => `Play ${name}`,
  pause: (name: string): string => `Pause ${name}`,
  position: 'Position',
  positionOf: (seconds: number, lengthSeconds: number): string =>
    `${formatPosition(seconds)} of ${formatPosition(lengthSeconds)}`,
};

/** The spoken text of a recording. */
export const transcriptText = {
  transcript: 'Transcript',
  search: 'Search the transcript',
  scroller: 'Transcript, scrolls',
  recording: 'the recording',
  fromInput: 'From the input.',
  /** Who speaks, if the handler only counts them. */
  speaker: (number: number): string => `Speaker ${number}`,
  /** Beside a text of which the handler is not sure. */
  confidence: (share: number): string => `${Math.round(share * 100)} % sure`,
  unsure: 'Low confidence: the handler is not sure of this text',
  unsureWords: 'Low confidence',
  save: 'Save transcript',
  saveSubRip: 'Save as SRT',
  saveWebVtt: 'Save as VTT',
};

/** The addresses of images or files in an output. */
export const outputLinksText = {
  images: 'Links to images',
  files: 'Links to files',
  imagesNotLoaded: 'The output links to these images. Jobdeck does not load them, so their host learns nothing.',
  filesNotLoaded: 'The output links to these files. Jobdeck does not load them, so their host learns nothing.',
  /** Where an address comes from, as `openLinkText.origin` names it. */
  owner: 'the job’s output',
};
