import { streamEvents } from '@waybill/contract/event'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { openStreams } from './stream-events.ts'

export function bindEventRoutes(host: Host): void {
  const streams = openStreams(host)
  bindEndpoint(host, streamEvents, async (ctx, { query, request, reply }) => {
    await streams.open(ctx, query.ago ?? null, request, reply)
    return {}
  })
  // Before the server waits for what is under way: these never end by themselves.
  host.app.addHook('preClose', async () => streams.endAll())
}
