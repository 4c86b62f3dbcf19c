/*
 * Keeps the driver's page on the telephone, so that it opens without a connection: the page itself, which is the same
 * for every link, and its files. What a link shows is no part of it; the page keeps that itself (decision 109).
 */
interface Extended extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface Fetched extends Event {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}
interface Scope {
  location: Location
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  addEventListener: {
    (type: 'install' | 'activate', work: (event: Extended) => void): void
    (type: 'fetch', work: (event: Fetched) => void): void
  }
}
const scope = self as unknown as Scope

const STORE = 'waybill-drive'
/** Not a link: the address under which the page is asked for and kept. */
const PAGE = '/drive/page'
/** After it a page that is here is better than one that may come. */
const PATIENCE_MS = 4_000

/** The files that a text names: of the page its script and styles, of the styles the letters. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/["(](\/(?:assets\/[^")]+|favicon\.svg))[")]/g)].map((match) => match[1]!)

/** Keeps the page as it is now with all its files, and lets go of those of the one before. */
async function keepPage(): Promise<void> {
  const store = await caches.open(STORE)
  const answer = await fetch(PAGE, { cache: 'no-cache', credentials: 'omit' })
  if (!answer.ok) return
  const named = new Set(filesIn(await answer.clone().text()))
  for (const file of named) {
    const there = (await store.match(file)) ?? (await fetch(file, { credentials: 'omit' }))
    if (!there.ok) return
    if (file.endsWith('.css')) for (const letters of filesIn(await there.clone().text())) named.add(letters)
    await store.put(file, there.clone())
  }
  await store.put(PAGE, answer)
  for (const { url } of await store.keys()) {
    const { pathname } = new URL(url)
    if (pathname !== PAGE && !named.has(pathname)) await store.delete(pathname)
  }
}

async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request.url, { credentials: 'omit', signal: AbortSignal.timeout(PATIENCE_MS) })
    if (answer.ok) {
      void keepPage().catch(() => undefined)
      return answer
    }
  } catch {
    // No connection, or one that is too slow.
  }
  return (await (await caches.open(STORE)).match(PAGE)) ?? fetch(request)
}

const file = async (request: Request): Promise<Response> =>
  (await (await caches.open(STORE)).match(request)) ?? fetch(request)

scope.addEventListener('install', (event) => event.waitUntil(keepPage().then(() => scope.skipWaiting())))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/') || pathname === '/favicon.svg') event.respondWith(file(request))
})
