# Two programs, one image: account-server (the default) and sso. See docs/operations.md.
#   docker run -e DATABASE_URL=… -e PUBLIC_URL=… atrium
#   docker run -e DATABASE_URL=… -e SSO_URL=… -e SSO_SECRET=… atrium node apps/sso/src/main.ts
FROM node:24-slim AS build
WORKDIR /atrium
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production ATRIUM_HOST=0.0.0.0
WORKDIR /atrium
COPY --from=build /atrium /atrium
USER node
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# Node itself, not npm: the signal to stop must reach the program.
CMD ["node", "apps/account-server/src/main.ts"]
