import { getMap, measureDistance, searchPlaces } from '@waybill/contract/place'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { findPlaces } from './find-places.ts'
import { measureStops } from './measure-stops.ts'

export function bindPlaceRoutes(host: Host): void {
  bindEndpoint(host, searchPlaces, (ctx, { query }) => findPlaces(ctx, query))
  bindEndpoint(host, measureDistance, (ctx, { query }) => measureStops(ctx, query.stops))
  bindEndpoint(host, getMap, async ({ ports }) => ({ tiles: ports.tiles }))
}
