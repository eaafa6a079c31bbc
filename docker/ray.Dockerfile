# The image of the service with Ray, for the nodes of a Ray cluster (ENGINE=ray), from the root of the repository:
# docker build -f docker/ray.Dockerfile --build-arg SERVICE_IMAGE=dataset-media-service:0.1.0 -t dataset-media-service-ray:0.1.0 .
ARG SERVICE_IMAGE=dataset-media-service
FROM ${SERVICE_IMAGE}
USER root
RUN apt-get update -qq \
  # wget is what KubeRay's probes use.
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv wget >/dev/null \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
COPY engine /app/engine
RUN python3 -m venv /opt/ray \
  && /opt/ray/bin/pip install --quiet --no-cache-dir --requirement /app/engine/requirements.txt \
  && /opt/ray/bin/pip install --quiet --no-cache-dir --no-deps /app/engine
ENV PATH=/opt/ray/bin:$PATH \
  RAY_USAGE_STATS_ENABLED=0 \
  DMS_STEP_RUNNER="node /app/dist/commands/step-runner.js"
USER 10001:10001
HEALTHCHECK NONE
# KubeRay gives the command, which is `ray start`.
ENTRYPOINT []
CMD ["ray", "--version"]
