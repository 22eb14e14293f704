//! The metrics' families, registered in one place.

use std::collections::HashSet;

use prometheus::{
    Encoder, GaugeVec, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
    core::Collector,
};

/// A registry that also shows the families without a sample, so that a dashboard or an alert can be checked against it.
#[derive(Debug)]
pub(crate) struct Families {
    registry: Registry,
    /// Name, type and help of each.
    described: Vec<(&'static str, &'static str, &'static str)>,
}

impl Families {
    pub(crate) fn new() -> Self {
        Self { registry: Registry::new(), described: Vec::new() }
    }

    fn add<C: Collector + Clone + 'static>(
        &mut self,
        family: (&'static str, &'static str, &'static str),
        collector: C,
    ) -> Result<C, prometheus::Error> {
        self.registry.register(Box::new(collector.clone()))?;
        self.described.push(family);
        Ok(collector)
    }

    /// Registers a collector with families of its own.
    pub(crate) fn collect(&mut self, collector: impl Collector + 'static) -> Result<(), prometheus::Error> {
        self.registry.register(Box::new(collector))
    }

    pub(crate) fn counter(
        &mut self,
        name: &'static str,
        help: &'static str,
        labels: &[&str],
    ) -> Result<IntCounterVec, prometheus::Error> {
        self.add((name, "counter", help), IntCounterVec::new(Opts::new(name, help), labels)?)
    }

    pub(crate) fn gauge(&mut self, name: &'static str, help: &'static str) -> Result<IntGauge, prometheus::Error> {
        self.add((name, "gauge", help), IntGauge::new(name, help)?)
    }

    pub(crate) fn gauges(
        &mut self,
        name: &'static str,
        help: &'static str,
        labels: &[&str],
    ) -> Result<IntGaugeVec, prometheus::Error> {
        self.add((name, "gauge", help), IntGaugeVec::new(Opts::new(name, help), labels)?)
    }

    /// Gauges with fractions.
    pub(crate) fn fractions(
        &mut self,
        name: &'static str,
        help: &'static str,
        labels: &[&str],
    ) -> Result<GaugeVec, prometheus::Error> {
        self.add((name, "gauge", help), GaugeVec::new(Opts::new(name, help), labels)?)
    }

    pub(crate) fn histogram(
        &mut self,
        name: &'static str,
        help: &'static str,
        labels: &[&str],
        buckets: &[f64],
    ) -> Result<HistogramVec, prometheus::Error> {
        let options = HistogramOpts::new(name, help).buckets(buckets.to_vec());
        self.add((name, "histogram", help), HistogramVec::new(options, labels)?)
    }

    /// The name of each family.
    #[cfg(test)]
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.described.iter().map(|(name, ..)| *name).collect()
    }

    /// All families in the Prometheus text format.
    pub(crate) fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let gathered = self.registry.gather();
        let mut text = Vec::new();
        TextEncoder::new().encode(&gathered, &mut text)?;
        let shown: HashSet<&str> = gathered.iter().map(prometheus::proto::MetricFamily::name).collect();
        for (name, kind, help) in self.described.iter().filter(|(name, ..)| !shown.contains(name)) {
            text.extend_from_slice(format!("# HELP {name} {help}\n# TYPE {name} {kind}\n").as_bytes());
        }
        Ok(text)
    }
}
