import { declaredProblem, type Endpoint } from '@atrium/contract/endpoint.ts'
import { commonProblems, ProblemDocument } from '@atrium/contract/problem.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** Serves the OpenAPI 3.1 description of every endpoint that is mounted afterwards; generated on the first request. */
export function openApiRoutes(app: FastifyInstance): void {
  const endpoints: Endpoint[] = []
  app.addHook('onRoute', ({ config }) => {
    const { endpoint } = (config ?? {}) as { endpoint?: Endpoint }
    if (endpoint && !endpoints.includes(endpoint)) endpoints.push(endpoint)
  })
  let description: string | undefined
  app.get('/account/openapi.json', async (_request, reply) => {
    description ??= JSON.stringify(describe(endpoints))
    return reply.header('cache-control', 'public, max-age=300').type('application/json').send(description)
  })
}

function describe(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Atrium account area', version: '1' },
    paths,
    components: {
      schemas: { Problem: schemaOf(ProblemDocument, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'atrium_session' } },
    },
  }
}

function operation(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body && { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } }),
    responses: {
      200: { description: 'Done', content: replyContent(endpoint) },
      ...problemResponses(endpoint),
    },
    ...(endpoint.access !== 'anyone' && { security: [{ session: [] }] }),
  }
}

/** One response per status, for all its codes. */
function problemResponses(endpoint: Endpoint) {
  const common: Readonly<Record<string, number>> = commonProblems
  const problems = Object.keys({ ...common, ...endpoint.problems }).map((code) => {
    const { status = common[code], data } = declaredProblem(endpoint, code)
    return { code, status, data }
  })
  const responses = [...Map.groupBy(problems, ({ status }) => status)].map(([status, ofStatus]) => {
    const content = { 'application/problem+json': { schema: problemSchema(ofStatus) } }
    return [status, { description: 'A problem, by its code', content }]
  })
  return Object.fromEntries(responses)
}

/** If a code has data, all codes of the status have their own schema. */
function problemSchema(problems: readonly { code: string; data: z.ZodType | undefined }[]) {
  const plain = { $ref: '#/components/schemas/Problem' }
  const byData = [...Map.groupBy(problems, ({ data }) => data)]
  if (byData.every(([data]) => !data)) return plain

  const oneOf = byData.map(([data, same]) => {
    const code = { enum: same.map((problem) => problem.code) }
    const carried = data
      ? { properties: { code, data: schemaOf(data, 'output') }, required: ['data'] }
      : { properties: { code } }
    return { allOf: [plain, carried] }
  })
  return { oneOf }
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}

function replyContent({ mediaType, reply }: Endpoint) {
  return mediaType ? { [mediaType]: {} } : json(schemaOf(reply, 'output'))
}

function json(schema: object) {
  return { 'application/json': { schema } }
}
