import { readFileSync } from 'node:fs';
import { conversionFailure, guard } from './guard.ts';

interface Size {
  width: number;
  height: number;
}

/** A PNG as its bytes. Sizes are read from it, nothing is decoded or redrawn. */
export class NativeImage {
  /** Its origin, for tests. */
  readonly description: string;
  isTemplate = false;
  private readonly bytes: Buffer;
  private readonly wanted: Size | null;

  constructor(bytes: Buffer, description = '', wanted: Size | null = null) {
    this.bytes = bytes;
    this.description = description;
    this.wanted = wanted;
    return guard('NativeImage', this);
  }

  get isMacTemplateImage(): boolean {
    return this.isTemplate;
  }
  isEmpty(): boolean {
    return this.bytes.length === 0;
  }
  getSize(): Size {
    return this.wanted ?? pngSize(this.bytes);
  }
  getAspectRatio(): number {
    const { width, height } = this.getSize();
    return height === 0 ? 1 : width / height;
  }
  /** Remembers the requested size. The picture itself is unchanged. */
  resize(options: { width?: number; height?: number; quality?: string }): NativeImage {
    const { width, height } = this.getSize();
    const ratio = height === 0 ? 1 : width / height;
    const size = {
      width: options.width ?? Math.round((options.height ?? height) * ratio),
      height: options.height ?? Math.round((options.width ?? width) / ratio),
    };
    return new NativeImage(this.bytes, this.description, size);
  }
  toPNG(): Buffer {
    return Buffer.from(this.bytes);
  }
  toDataURL(): string {
    return `data:image/png;base64,${this.bytes.toString('base64')}`;
  }
  setTemplateImage(isTemplate: boolean): void {
    this.isTemplate = isTemplate;
  }
  isTemplateImage(): boolean {
    return this.isTemplate;
  }
}

function pngSize(bytes: Buffer): Size {
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : { width: 0, height: 0 };
}

export const nativeImage = guard('nativeImage', {
  createEmpty: (): NativeImage => new NativeImage(Buffer.alloc(0)),
  /** A file that cannot be read results in an empty image, as in Electron. So does an .ico, except on Windows. */
  createFromPath(path: string): NativeImage {
    if (typeof path !== 'string') throw conversionFailure(0, path);
    try {
      const isRead = process.platform === 'win32' || !path.toLowerCase().endsWith('.ico');
      return new NativeImage(isRead ? readFileSync(path) : Buffer.alloc(0), path);
    } catch {
      return new NativeImage(Buffer.alloc(0), path);
    }
  },
  createFromBuffer: (buffer: Buffer): NativeImage => new NativeImage(Buffer.from(buffer), 'buffer'),
  createFromDataURL: (url: string): NativeImage =>
    new NativeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'), 'data URL'),
});

/**
 * The image that a method of Electron was given. A path that is none throws (electron_api_native_image.cc:
 * TryConvertNativeImage).
 */
export function loadedImage(given: NativeImage | string): NativeImage {
  if (given instanceof NativeImage) return given;
  if (typeof given !== 'string') throw new Error('Argument must be a file path or a NativeImage');
  const image = nativeImage.createFromPath(given);
  if (image.isEmpty()) throw new Error(`Failed to load image from path '${given}'`);
  return image;
}

/** A readable name for an image given as path or NativeImage. */
export function describeImage(image: NativeImage | string): string {
  return typeof image === 'string' ? image : image.description;
}
