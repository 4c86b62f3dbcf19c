import { getMap, searchPlaces } from '@waybill/contract/place'
import { bindEndpoint, type Host } from '../../kit/routes.ts'
import { findPlaces } from './find-places.ts'

export function bindPlaceRoutes(host: Host): void {
  bindEndpoint(host, searchPlaces, (ctx, { query }) => findPlaces(ctx, query))
  bindEndpoint(host, getMap, async ({ ports }) => ({ tiles: ports.tiles }))
}
