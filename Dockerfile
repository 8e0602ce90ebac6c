# Two images of one build, account-server (the default) and sso. docs/operations.md says how to run and feed them.
#   docker build -t atrium .
#   docker build -t atrium-sso --target sso .

# Manifests alone, so that a change of sources installs nothing anew.
FROM node:24-slim AS manifests
WORKDIR /atrium
COPY package.json package-lock.json ./
COPY apps/account-server/package.json apps/account-server/
COPY apps/account-web/package.json apps/account-web/
COPY apps/sandbox/package.json apps/sandbox/
COPY apps/sso/package.json apps/sso/
COPY packages/contract/package.json packages/contract/
COPY packages/locales/package.json packages/locales/
COPY packages/server-kit/package.json packages/server-kit/
COPY packages/ui/package.json packages/ui/

# What the servers load. No install script runs: this image brings Node, and argon2 its binaries.
FROM manifests AS production
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM manifests AS pages
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts

FROM node:24-slim AS runtime
ENV NODE_ENV=production ATRIUM_HOST=0.0.0.0
WORKDIR /atrium
COPY --from=production /atrium ./
COPY packages packages
COPY scripts scripts
COPY apps/account-server apps/account-server
COPY apps/sso apps/sso
COPY --from=pages /atrium/apps/account-web/dist apps/account-web/dist
COPY --from=pages /atrium/apps/sso/dist apps/sso/dist
USER node
STOPSIGNAL SIGTERM

# Node itself, not npm or a shell: the signal to stop must reach the program.
FROM runtime AS sso
EXPOSE 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ATRIUM_SSO_PORT || 3001}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/remembered-imports.ts", "apps/sso/src/main.ts"]

FROM runtime AS account-server
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ATRIUM_PORT || 3000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/remembered-imports.ts", "apps/account-server/src/main.ts"]
