import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What `oidc-provider` stores: codes, tokens and interactions of minutes, gone when the sandbox stops. */
export class MemoryAdapter implements Adapter {
  private readonly payloads = new Map<string, AdapterPayload>()

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.payloads.set(id, payload)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.payloads.get(id)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.payloads.values()].find((payload) => payload.uid === uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return [...this.payloads.values()].find((payload) => payload.userCode === userCode)
  }

  async consume(id: string): Promise<void> {
    const payload = this.payloads.get(id)
    if (payload) payload.consumed = Math.floor(Date.now() / 1000)
  }

  async destroy(id: string): Promise<void> {
    this.payloads.delete(id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.payloads) if (payload.grantId === grantId) this.payloads.delete(id)
  }
}
