import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, sendAnswer, wholeText } from '../http/response.ts';
import { type BuiltPages, pageHeaders, renderBuiltPage, sendPageAsset } from '../http/static-pages.ts';

export interface ConsolePagesOptions {
  readonly pages: BuiltPages;
  readonly mode: 'development' | 'serve';
  /** The project for clients that name none; `null` if clients must name one. */
  readonly defaultProject: string | null;
  readonly version: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

const ASSETS = '/console/assets/';
const NONCE_BYTES = 16;
/** If WebSocket is blocked, the database SDK polls with iframes. */
const FRAME_POLICY = "frame-src 'self'";

/**
 * The console: one page, whose script shows the view for the URL, and the files that the page loads. The page
 * itself contains only public information.
 */
export class ConsolePages {
  readonly #options: ConsolePagesOptions;

  constructor(options: ConsolePagesOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendAnswer(request, response, plainText(405, 'The console supports only GET and HEAD.\n'), {
        allow: 'GET, HEAD',
      });
    const asset = path.startsWith(ASSETS)
      ? this.#options.pages.assets.get(path.slice(ASSETS.length))
      : undefined;
    if (asset === undefined) return sendAnswer(request, response, this.#answerPage(path), {});
    await sendPageAsset(request, response, asset);
  }

  #answerPage(path: string): Answer {
    // A page of an earlier build may still request its files. The response must not look like one of them.
    if (path.startsWith(ASSETS)) return plainText(404, 'File not found. Reload the console.\n');
    const { pages, mode, defaultProject, version } = this.#options;
    const styleNonce = Buffer.from(this.#options.randomBytes(NONCE_BYTES)).toString('base64url');
    const headers = pageHeaders(styleNonce, [FRAME_POLICY]);
    if (path === '/console')
      return { status: 308, headers: { ...headers, location: '/console/' }, body: null };
    const parameters = { mode, defaultProject, version, styleNonce };
    return renderBuiltPage(pages, { status: 200, headers, parameters });
  }
}

function plainText(status: number, text: string): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: wholeText(text),
  };
}
