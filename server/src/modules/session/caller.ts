import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../kit/context/context.ts'
import type { Caller } from './admit.ts'
import { deviceOf } from './known-device.ts'

/** Who calls to be let in. */
export const callerOf = (ctx: Ctx, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): Caller => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
  device: deviceOf(ctx, request, reply),
})
