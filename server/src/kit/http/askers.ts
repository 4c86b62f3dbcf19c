import type { FastifyInstance, FastifyRequest } from 'fastify'
import { askedBy, kindOf, type Asker } from '../database/fair-turns.ts'
import { networkOf } from './network.ts'

/** Who has a session or a key is known by it; everybody else by the line they call from. */
const askerOf = ({ method, url, headers, ip }: FastifyRequest): Asker => ({
  caller: headers.authorization ?? networkOf(ip).line,
  kind: kindOf(method, url),
})

/**
 * Does the work of each request in its caller's name, so that who asks for a hundred things at once keeps nobody else
 * from the database (decision 117).
 */
export function nameAskers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => askedBy(askerOf(request), done))
  // What follows a body is called by the connection that brought it.
  app.addHook('preValidation', (request, _reply, done) =>
    request.method === 'GET' ? done() : askedBy(askerOf(request), done),
  )
}
