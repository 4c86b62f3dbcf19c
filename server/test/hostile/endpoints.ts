import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import type { Endpoint } from '@waybill/contract/kit/endpoint'

/** Every endpoint of the contract by its method and path. */
export const EVERY_ENDPOINT: readonly { name: string; endpoint: Endpoint }[] = [
  ...ENDPOINTS,
  ...RESOURCES.flatMap((api) => [api.list, api.export, api.create, api.get, api.replace, api.patch, api.remove]),
].map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))
