"""Analytic test problems of multiobjective search: writes cases/zdt*/ and cases/dtlz*/.

The published formulas in NumPy give the numbers of `expect:`; the case files state the same problems in the
language of the program (repeat, $sum), so that the two agree only when both are right.
Run from the project's root: python3 tests/reference/analytic.py
"""
import numpy as np, os
pi=np.pi
zdt_ref="Zitzler, Deb, Thiele: Comparison of multiobjective evolutionary algorithms: empirical results, Evolutionary Computation 8 (2000) 173-195"
dtlz_ref="Deb, Thiele, Laumanns, Zitzler: Scalable multi-objective optimization test problems, CEC 2002, 825-830"
def g1(x): return 1+9*np.sum(x[1:])/(len(x)-1)
def zdt1(x): g=g1(x); return [x[0], g*(1-np.sqrt(x[0]/g))]
def zdt2(x): g=g1(x); return [x[0], g*(1-(x[0]/g)**2)]
def zdt3(x): g=g1(x); return [x[0], g*(1-np.sqrt(x[0]/g)-x[0]/g*np.sin(10*pi*x[0]))]
def zdt4(x): g=1+10*(len(x)-1)+np.sum(x[1:]**2-10*np.cos(4*pi*x[1:])); return [x[0], g*(1-np.sqrt(x[0]/g))]
def zdt6(x):
    f=1-np.exp(-4*x[0])*np.sin(6*pi*x[0])**6; g=1+9*(np.sum(x[1:])/(len(x)-1))**0.25
    return [f, g*(1-(f/g)**2)]
def gr(x): y=x[2:]; return 100*(len(y)+np.sum((y-.5)**2-np.cos(20*pi*(y-.5))))
def gs(x): return np.sum((x[2:]-.5)**2)
def lin(x,g): return [.5*x[0]*x[1]*(1+g), .5*x[0]*(1-x[1])*(1+g), .5*(1-x[0])*(1+g)]
def sph(x,g,a=1):
    u,v=x[0]**a*pi/2,x[1]**a*pi/2
    return [(1+g)*np.cos(u)*np.cos(v),(1+g)*np.cos(u)*np.sin(v),(1+g)*np.sin(u)]
dtlz1=lambda x: lin(x,gr(x)); dtlz2=lambda x: sph(x,gs(x)); dtlz3=lambda x: sph(x,gr(x)); dtlz4=lambda x: sph(x,gs(x),100)
def dtlz7(x):
    g=1+9*np.mean(x[2:]); h=3-sum(f/(1+g)*(1+np.sin(3*pi*f)) for f in x[:2]); return [x[0],x[1],(1+g)*h]
rast="100*({k} + $sum(i, 3..{n}, (x$i - 0.5)^2 - cos(20*pi*(x$i - 0.5))))"
sq="$sum(i, 3..{n}, (x$i - 0.5)^2)"
sphere={"f1":"(1 + g)*cos({a}*pi/2)*cos({b}*pi/2)","f2":"(1 + g)*cos({a}*pi/2)*sin({b}*pi/2)","f3":"(1 + g)*sin({a}*pi/2)"}
def S(a,b): return {k:v.format(a=a,b=b) for k,v in sphere.items()}
P={
"zdt1":(zdt1,30,"convex front",{"g":"1 + 9/29*$sum(i, 2..30, x$i)"},{"f1":"x1","f2":"g*(1 - sqrt(x1/g))"},0,"f2 = 1 - sqrt(f1)"),
"zdt2":(zdt2,30,"concave front",{"g":"1 + 9/29*$sum(i, 2..30, x$i)"},{"f1":"x1","f2":"g*(1 - (x1/g)^2)"},0,"f2 = 1 - f1^2"),
"zdt3":(zdt3,30,"front in five pieces",{"g":"1 + 9/29*$sum(i, 2..30, x$i)"},{"f1":"x1","f2":"g*(1 - sqrt(x1/g) - x1/g*sin(10*pi*x1))"},0,"the non-dominated part of f2 = 1 - sqrt(f1) - f1 sin(10 pi f1)"),
"zdt4":(zdt4,10,"21^9 local fronts",{"g":"1 + 10*9 + $sum(i, 2..10, x$i^2 - 10*cos(4*pi*x$i))"},{"f1":"x1","f2":"g*(1 - sqrt(x1/g))"},0,"f2 = 1 - sqrt(f1)"),
"zdt6":(zdt6,10,"concave front, unevenly dense",{"f":"1 - exp(-4*x1)*sin(6*pi*x1)^6","g":"1 + 9*($sum(i, 2..10, x$i)/9)^0.25"},{"f1":"f","f2":"g*(1 - (f/g)^2)"},0,"f2 = 1 - f1^2 for f1 >= 0.2808"),
"dtlz1":(dtlz1,7,"flat front, 11^5 - 1 local fronts",{"g":rast.format(k=5,n=7)},{"f1":"0.5*x1*x2*(1 + g)","f2":"0.5*x1*(1 - x2)*(1 + g)","f3":"0.5*(1 - x1)*(1 + g)"},.5,"f1 + f2 + f3 = 0.5"),
"dtlz2":(dtlz2,12,"an eighth of a sphere",{"g":sq.format(n=12)},S("x1","x2"),.5,"f1^2 + f2^2 + f3^2 = 1"),
"dtlz3":(dtlz3,12,"an eighth of a sphere, 3^10 - 1 local fronts",{"g":rast.format(k=10,n=12)},S("x1","x2"),.5,"f1^2 + f2^2 + f3^2 = 1"),
"dtlz4":(dtlz4,12,"an eighth of a sphere, unevenly dense",{"g":sq.format(n=12)},S("x1^100","x2^100"),.5,"f1^2 + f2^2 + f3^2 = 1"),
"dtlz7":(dtlz7,22,"front in four pieces",{"g":"1 + 9/20*$sum(i, 3..22, x$i)"},{"f1":"x1","f2":"x2","f3":"(1 + g)*(3 - x1/(1 + g)*(1 + sin(3*pi*x1)) - x2/(1 + g)*(1 + sin(3*pi*x2)))"},0,"the non-dominated part of f3 = 2 (3 - sum of f_i/2 (1 + sin(3 pi f_i)))"),
}
def num(v): return repr(float(v))
for name,(f,n,what,par,obj,opt,front) in P.items():
    zdt=name.startswith("z"); lead=1 if zdt else 2; m=len(obj)
    ref=zdt_ref if zdt else dtlz_ref
    lo,hi=(-5,5) if name=="zdt4" else (0,1)
    d=f"cases/{name}"; os.makedirs(d,exist_ok=True)
    o=[f"format: 1",f"name: {name.upper()}",f"about: Test problem {name.upper()}, {n} variables, {m} objectives, {what}","","parameters:"]
    for k,v in par.items(): o.append(f'  {k}: "{v}"')
    o+=["","design:"]
    for i in range(1,lead+1): o.append(f"  x{i}: {{min: 0, max: 1}}")
    st=", start: 3.3" if name=="zdt4" else ", start: 0.7" if opt==.5 else ""
    o.append(f"  x$i: {{repeat: {{i: {lead+1}..{n}}}, min: {lo}, max: {hi}{st}}}")
    o+=["","optimize:","  objectives:"]
    for k,v in obj.items(): o.append(f'    {k}: {{minimize: "{v}"}}')
    o+=["  algorithm: {name: nsga2, population: 100, seed: 1}","  stop: {evaluations: 25000}","",
        f"# Points of the front (all of x{lead+1}, ... at {opt:g}), and two points off it.","expect:"]
    rest=f"x$i: {{repeat: {{i: {lead+1}..{n}}}, value: {opt:g}}}"
    pts=[(.25,),(1,),(.6,)] if zdt else [(.25,.75),(1,.5),(.4,.2)]
    if name=="dtlz4": pts=[(.99,.995),(1,.5),(.998,.98)]
    if name=="zdt3": pts=[(0.0830015349,),(.25,),(.42,)]
    for p in pts:
        x=np.full(n,opt,float); x[:lead]=p
        at=", ".join(f"x{i+1}: {p[i]:.10g}" for i in range(lead))
        for k,val in zip(obj,f(x)):
            o.append(f"  - {{quantity: objective.{k}, at: {{{at}, {rest}}}, value: {num(val)}, tolerance: 1e-12}}")
    mid=np.full(n,(lo+hi)/2,float); mid[0]=.5
    if name=="zdt4": mid[1:]=3.3
    if opt==.5: mid[2:]=.7
    for k,val in zip(obj,f(mid)):
        o.append(f"  - {{quantity: objective.{k}, value: {num(val)}, tolerance: {1e-12*max(1,abs(val)):.1g}}}")
    x=mid.copy(); x[0]=.3; x[1]=.8 if not zdt else (.7 if lo==0 else -1.3); x[-1]=.15; x[n//2]=.9
    at=", ".join(f"x{i+1}: {x[i]:g}" for i in sorted({0,1,n//2,n-1}))
    for k,val in zip(obj,f(x)):
        o.append(f"  - {{quantity: objective.{k}, at: {{{at}}}, value: {num(val)}, tolerance: {1e-12*max(1,abs(val)):.1g}}}")
    open(d+"/case.yaml","w").write("\n".join(o)+"\n")
    open(d+"/README.md","w").write(f"""# {name.upper()}

An analytic test problem without a machine: {n} variables, {m} objectives, {what}.

Source: {ref}.
Front: {front}, reached where {"x%d, ..., x%d"%(lead+1,n)} are all {opt:g}.

The numbers of `expect:` are the published formulas evaluated in double precision by a separate script (NumPy), at points of the front and
off it; they agree with the program to rounding, so the tolerance is 1e-12 (relative where values are large).

```
globdyn verify cases/{name}/case.yaml
globdyn optimize cases/{name}/case.yaml
```
""")
