import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PAPER_ADDRESS } from '@waybill/contract/kit/expiry'
import { AppError } from '../kit/context/errors.ts'

/** The pages of links, without a sign-in: each is an entry of its own in the build (decision 075). */
const PUBLIC_PAGES = ['upload-documents', 'track', 'price', 'quote', 'statement', 'drive']

/** Carriers hand in new papers at the address of uploads (decision 123). */
const pageAt = (path: string, url: string): string =>
  url.startsWith(`/upload-documents/${PAPER_ADDRESS}`) ? 'new-paper' : path

/** Nothing from elsewhere, no style in the markup, no frame; and no search engine keeps the address of a link. */
const PUBLIC_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    ...['script-src', 'style-src', 'font-src', 'connect-src'].map((kind) => `${kind} 'self'`),
    // The company's logo comes with what the page shows.
    "img-src 'self' data:",
    ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
  ].join(';'),
  'X-Robots-Tag': 'noindex, nofollow',
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith('.'))

/** The built web: hashed files are kept for ever, every other path of a person is the one page. */
export async function serveWeb(app: FastifyInstance, webDir: string): Promise<void> {
  const files = new Set(filesOf(webDir))
  await app.register(fastifyStatic, {
    root: webDir,
    preCompressed: true,
    // A route for each of two thousand files would take a tenth of the start.
    serve: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header(
        'Cache-Control',
        /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  for (const path of PUBLIC_PAGES)
    app.get(`/${path}/*`, ({ url }, reply) =>
      reply
        .headers(PUBLIC_HEADERS)
        .header('Cache-Control', 'no-cache')
        .sendFile(`${pageAt(path, url)}.html`),
    )
  app.get('/*', (request, reply) => {
    const path = request.url.split('?')[0]!.slice(1)
    if (files.has(path)) return reply.sendFile(path)
    // Who watches whether it is there asks for no kind of answer.
    const isPage = path === '' || String(request.headers.accept ?? '').includes('text/html')
    if (request.url.startsWith('/api/') || !isPage) throw new AppError('not_found')
    return reply.header('Cache-Control', 'no-cache').sendFile('index.html')
  })
}
